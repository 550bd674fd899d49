/** `intervals`: documents where terms stand in a given order and distance, as rules that hold one another say. */
import type { JsonObject } from "../../json/types.ts";
import { matchNoneQuery } from "../lucene/constant.ts";
import { intervalQuery } from "../lucene/interval-query.ts";
import { makeBuilder } from "./builder.ts";
import { readCommon } from "./compound.ts";
import { type IntervalRule, readRule } from "./interval-rules.ts";
import type { QueryParser } from "./parse.ts";
import { errorAt, isObject, tokenName } from "./read.ts";

export const parseIntervals: QueryParser = (json) => {
  const [name, second] = Object.keys(json);
  if (name === undefined) throw errorAt(json, "end", "Expected [FIELD_NAME] but got [END_OBJECT]");
  const body = json[name];
  if (!isObject(body)) {
    throw errorAt(json, { value: name }, `Expected [START_OBJECT] but got [${tokenName(body)}]`);
  }
  const { rule, options } = readBody(body);
  if (second !== undefined) throw errorAt(json, { key: second }, "Expected [END_OBJECT] but got [FIELD_NAME]");
  if (!rule) throw errorAt(json, "end", "Missing intervals from interval query definition");
  return makeBuilder("intervals", options, (context) => {
    const field = context.mapping.field(name);
    const known = field && rule.fields.every((other) => context.mapping.field(other) !== undefined);
    if (!field || !known) return matchNoneQuery("");
    return intervalQuery(name, rule.source(context, { name, field }));
  });
};

function readBody(body: JsonObject): { rule?: IntervalRule; options: { boost?: number; queryName?: string } } {
  const options: { boost?: number; queryName?: string } = {};
  let rule: IntervalRule | undefined;
  let known: string | undefined;
  for (const key of Object.keys(body)) {
    if (readCommon(body, key, options)) continue;
    if (known !== undefined) {
      const reason = `Only one interval rule can be specified, found [${known}] and [${key}]`;
      throw errorAt(body, { key }, reason);
    }
    known = key;
    rule = readRule(body, key);
  }
  return { ...(rule ? { rule } : {}), options };
}
