/** match_phrase and match_phrase_prefix: the terms of a text next to each other, or at most `slop` moves away from that. */
import { illegalArgument } from "../../errors.ts";
import { makeBuilder } from "./builder.ts";
import { readCommon } from "./compound.ts";
import { readFieldText } from "./field-text.ts";
import { isWhole, readZeroTerms } from "./match.ts";
import { checkAnalyzer, type FieldMatch, fieldMatchQuery } from "./match-field.ts";
import type { QueryParser } from "./parse.ts";
import { readInt, textOf } from "./read.ts";
import { termOfNone, whyNone } from "./term-level.ts";

type PhraseOptions = { -readonly [K in keyof FieldMatch]: FieldMatch[K] } & { boost?: number; queryName?: string };

const parserOf =
  (query: string, type: "phrase" | "phrase_prefix"): QueryParser =>
  (json) => {
    const options: PhraseOptions = { type };
    const { field, text } = readFieldText(query, json, (inner, option) => {
      if (option === "analyzer") options.analyzer = textOf(inner[option]);
      else if (option === "slop") options.slop = readInt(inner[option], inner, option);
      else if (option === "zero_terms_query") options.zeroTermsQuery = readZeroTerms(inner, option);
      else if (option === "max_expansions" && type === "phrase_prefix")
        options.maxExpansions = readInt(inner[option], inner, option);
      else return readCommon(inner, option, options);
      return true;
    });
    if (!field) throw illegalArgument(`[${query}] requires fieldName`);
    if (text === undefined) throw illegalArgument(`[${query}] requires query value`);
    if ((options.slop ?? 0) < 0) throw illegalArgument("No negative slop allowed.");
    if ((options.maxExpansions ?? 0) < 0) throw illegalArgument("No negative maxExpansions allowed.");
    return makeBuilder(
      query,
      { ...options, noneReason: whyNone(field) },
      (context) => {
        checkAnalyzer(query, options.analyzer, context);
        return fieldMatchQuery(field, text, options, context);
      },
      // A phrase of one word is a term (MatchPhraseQueryBuilder.doIndexMetadataRewrite).
      type === "phrase"
        ? (context, anyIndex) =>
            !anyIndex && isWhole(field, options.analyzer, context) && termOfNone(field, text)(context)
        : undefined,
    );
  };

export const parseMatchPhrase = parserOf("match_phrase", "phrase");
export const parseMatchPhrasePrefix = parserOf("match_phrase_prefix", "phrase_prefix");
