/** The strategies that are one request, and the seam that all strategies share. */
export { bm25 } from "./bm25.ts";
export { bool } from "./bool.ts";
export { chinese } from "./chinese.ts";
export { dense } from "./dense.ts";
export { fields } from "./fields.ts";
export { functionScore } from "./function-score.ts";
export { fuzzy } from "./fuzzy.ts";
export { HIGHLIGHT_OPTIONS, type HighlightInput, type HighlightOptions, highlightBody } from "./highlighting.ts";
export { type IndexFields, indexFields, isDate, isNumber, scaleField, valueField } from "./mapping.ts";
export { phrase } from "./phrase.ts";
export {
  bareField,
  filtered,
  filterQueries,
  isBlank,
  NO_OPTIONS,
  type OptionsOf,
  requestStrategy,
  type Strategy,
  type StrategyCall,
  type StrategyInput,
  type StrategyRequest,
  type StrategyTarget,
  type StrategyWarning,
} from "./strategy.ts";
export { wildcard } from "./wildcard.ts";
