export { seededRandom } from "../src/evaluation/random.ts";
