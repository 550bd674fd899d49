/** nested: the nested documents of those around it. reverse_nested: back to the documents around nested ones. */
import { illegalArgument } from "../../errors.ts";
import type { JsonObject } from "../../json/types.ts";
import { errorAt, tokenName } from "../../query/dsl/read.ts";
import { nestedDocuments, rootDocuments } from "../../query/lucene/nested.ts";
import type { LeafReader } from "../../segment/types.ts";
import { Doubles } from "../support/memory.ts";
import type { AggregationContext, AggregationParser, Collect } from "../types.ts";
import { singleBucket, singleKind } from "./single.ts";

const nestedKind = singleKind("nested");
const reverseKind = singleKind("reverse_nested");

/** The one option; anything else is an error. */
function readPath(name: string, json: JsonObject): string | undefined {
  let path: string | undefined;
  for (const key of Object.keys(json)) {
    const value = json[key];
    if (typeof value !== "string") {
      throw errorAt(json, { value: key }, `Unexpected token ${tokenName(value)} in [${name}].`);
    }
    if (key !== "path") throw errorAt(json, { value: key }, `Unknown key for a VALUE_STRING in [${name}]: [${key}].`);
    path = value;
  }
  return path;
}

/** Documents of a level: those of a nested object, or roots. */
const documentsOf = (leaf: LeafReader, path: string | undefined) =>
  path === undefined ? rootDocuments(leaf) : nestedDocuments(leaf, path);

/** The same shard seen from another level. */
function atLevel(context: AggregationContext, nestedPath: string | undefined): AggregationContext {
  const { nestedPath: _around, ...rest } = context;
  const { nestedPath: _level, ...query } = context.query;
  if (nestedPath === undefined) return { ...rest, query, insideNested: true };
  return { ...rest, nestedPath, query: { ...query, nestedPath }, insideNested: true };
}

export const parseNested: AggregationParser = (name, json) => {
  const path = readPath(name, json);
  if (path === undefined) throw errorAt(json, "end", `Missing [path] field for nested aggregation [${name}]`);
  return {
    takesSubs: true,
    single: true,
    bind(context, own) {
      const mapped = context.query.mapping.object(path)?.nested === true;
      return singleBucket({
        context,
        own,
        kind: nestedKind,
        mapped,
        subs: own.subs(mapped ? atLevel(context, path) : { ...context, insideNested: true, notOneBucket: true }),
        leaf(leaf, take): Collect | undefined {
          const children = mapped ? nestedDocuments(leaf, path) : undefined;
          const parents = documentsOf(leaf, context.nestedPath);
          if (!children || !parents) return undefined;
          return (parent, bucket) => {
            if (parent === 0) return;
            const before = parents.previousSetBit(parent - 1);
            for (let child = before + 1; child < parent; child++) if (children.get(child)) take(child, bucket);
          };
        },
      });
    },
  };
};

export const parseReverseNested: AggregationParser = (name, json) => {
  const path = readPath(name, json);
  return {
    takesSubs: true,
    single: true,
    bind(context, own) {
      if (!context.insideNested) {
        throw illegalArgument(`Reverse nested aggregation [${name}] can only be used inside a [nested] aggregation`);
      }
      const mapped = path === undefined || context.query.mapping.object(path)?.nested === true;
      return singleBucket({
        context,
        own,
        kind: reverseKind,
        mapped,
        subs: own.subs(mapped ? atLevel(context, path) : { ...context, notOneBucket: true }),
        leaf(leaf, take): Collect | undefined {
          const parents = mapped ? documentsOf(leaf, path) : undefined;
          if (!parents) return undefined;
          // Of each bucket the parent that came last: several children lead to one.
          const last = new Doubles(context.memory, -1);
          return (child, bucket) => {
            const parent = parents.nextSetBit(child);
            last.ensure(bucket);
            if (last.values[bucket] === parent) return;
            last.values[bucket] = parent;
            take(parent, bucket);
          };
        },
      });
    },
  };
};
