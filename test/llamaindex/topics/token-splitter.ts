export { topic } from "./sentence-splitter.ts";
