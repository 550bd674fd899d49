/** What a suggester works on in an index: the field, how the text is analysed, and how much is wanted (SuggestionBuilder.populateCommonFields). */

import type { Analyzer } from "../analysis/types.ts";
import { EngineError, illegalArgument } from "../errors.ts";
import { wellFormed } from "../json/utf8.ts";
import type { MappedField } from "../mapping/types.ts";
import type { QueryContext } from "../query/dsl/index.ts";
import { DEFAULT_SIZE, type Suggestion, type Target } from "./types.ts";

/** Options that are asked of a shard where fewer are shown. */
const LEAST_SHARD_SIZE = 5;

/** @param globalText of all suggestions that have no text of their own */
export function targetOf(
  { suggester, text, prefix, regex }: Suggestion,
  globalText: string | undefined,
  { mapping, analysis }: QueryContext,
): Target {
  const {
    field: name,
    analyzer: named,
    size = DEFAULT_SIZE,
    shardSize = Math.max(size, LEAST_SHARD_SIZE),
  } = suggester.options;
  const field = mapping.field(name);
  if (field === undefined) throw illegalArgument(`no mapping found for field [${name}]`);
  const analyzer = named === undefined ? analyzerOf(field) : analysis.get(named);
  if (analyzer === undefined) throw illegalArgument(`analyzer [${named}] doesn't exists`);
  if (shardSize <= 0) throw illegalArgument(`ShardSize must be positive but was: ${shardSize}`);
  const given = text ?? prefix ?? regex ?? globalText;
  if (given === undefined) throw illegalArgument("The required text option is missing");
  const wanted = prefix ?? text ?? (regex === undefined ? globalText : undefined);
  return {
    field,
    analyzer,
    size,
    shardSize,
    text: wellFormed(given),
    ...(wanted === undefined ? {} : { prefix: wellFormed(wanted) }),
    ...(regex === undefined ? {} : { regex: wellFormed(regex) }),
  };
}

/** Fields of these types have no text that could be analysed (TextSearchInfo.NONE). */
const WITHOUT_TEXT: ReadonlySet<string> = new Set(["geo_point", "dense_vector", "binary", "_source"]);

function analyzerOf(field: MappedField): Analyzer {
  if (field.searchAnalyzer) return field.searchAnalyzer;
  const { normalizer } = field;
  const whole = { name: "keyword", positionIncrementGap: 100, offsetGap: 1 };
  return {
    ...whole,
    analyze(text, sink) {
      if (WITHOUT_TEXT.has(field.type) || WITHOUT_TEXT.has(field.name)) {
        throw new EngineError("unsupported_operation_exception", "", { status: 500, noReason: true });
      }
      sink(normalizer ? normalizer.normalize(text) : text, 0, text.length, 1, 1, "word");
      return { increment: 0, offset: text.length };
    },
  };
}

export interface TextToken {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly increment: number;
  readonly type: string;
}

export function tokensOf(analyzer: Analyzer, text: string): readonly TextToken[] {
  const tokens: TextToken[] = [];
  analyzer.analyze(text, (term, start, end, increment, _length, type) => {
    tokens.push({ term, start, end, increment, type });
  });
  return tokens;
}
