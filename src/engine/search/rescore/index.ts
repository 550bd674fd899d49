/** Second passes over the best hits. */
export { parseRescores, type RescoreBuilder } from "./parse-rescore.ts";
export { explainRescore, type RescoreMode, type RescorePass, rescore } from "./rescore.ts";
