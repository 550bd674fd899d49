export { parseSuggest, termSuggestion } from "./parse.ts";
export { targetOf } from "./target.ts";
export * from "./types.ts";
