/** From a body's `aggs` to definitions (AggregatorFactories.parseAggregators). */
import { EngineError, illegalArgument, parsingError, unsupported } from "../errors.ts";
import { positionOf } from "../json/parse.ts";
import type { JsonObject } from "../json/types.ts";
import type { QueryBuilder } from "../query/dsl/index.ts";
import { errorAt, isObject, located, tokenName } from "../query/dsl/read.ts";
import { suggestion } from "../query/dsl/suggestion.ts";
import type {
  AggregationBuilder,
  AggregationParser,
  Definition,
  PipelineBuilder,
  PipelineDefinition,
} from "./types.ts";

/** The aggregations of a level. */
export interface Definitions {
  readonly aggregations: readonly Definition[];
  readonly pipelines: readonly PipelineDefinition[];
}

export type PipelineParser = (name: string, json: JsonObject) => PipelineBuilder;

const parsers = new Map<string, AggregationParser>();
const pipelineParsers = new Map<string, PipelineParser>();
const refused = new Set<string>();

export function registerAggregations(
  known: Readonly<Record<string, AggregationParser>>,
  pipelines: Readonly<Record<string, PipelineParser>>,
  unsupportedNames: readonly string[],
): void {
  for (const [name, parser] of Object.entries(known)) parsers.set(name, parser);
  for (const [name, parser] of Object.entries(pipelines)) pipelineParsers.set(name, parser);
  for (const name of unsupportedNames) refused.add(name);
}

/** @param json the object of names */
export function parseDefinitions(json: JsonObject): Definitions {
  const aggregations: Definition[] = [];
  const pipelines: PipelineDefinition[] = [];
  for (const name of Object.keys(json)) {
    if (!/^[^[\]>]+$/.test(name)) {
      throw errorAt(
        json,
        { key: name },
        `Invalid aggregation name [${name}]. Aggregation names can contain any character except '[', ']', and '>'`,
      );
    }
    const parsed = parseDefinition(json, name);
    if ("subs" in parsed) aggregations.push(parsed);
    else pipelines.push(parsed);
  }
  return { aggregations, pipelines };
}

function parseDefinition(json: JsonObject, name: string): Definition | PipelineDefinition {
  const body = json[name];
  if (!isObject(body)) {
    const reason = `Aggregation definition for [${name} starts with a [${tokenName(body)}], expected a [START_OBJECT].`;
    throw errorAt(json, { value: name }, reason);
  }
  let meta: JsonObject | undefined;
  let within: Definitions | undefined;
  let type: string | undefined;
  let made: AggregationBuilder | PipelineBuilder | undefined;
  for (const key of Object.keys(body)) {
    const value = body[key];
    if (!isObject(value)) {
      throw errorAt(
        body,
        { value: key },
        `Expected [START_OBJECT] under [${key}], but got a [${tokenName(value)}] in [${name}]`,
      );
    }
    if (key === "meta") meta = value;
    else if (key === "aggs" || key === "aggregations") {
      if (within) throw errorAt(body, { value: key }, `Found two sub aggregation definitions under [${name}]`);
      within = parseDefinitions(value);
    } else {
      if (type !== undefined) {
        const reason = `Found two aggregation type definitions in [${name}]: [${type}] and [${key}]`;
        throw errorAt(body, { value: key }, reason);
      }
      type = key;
      made = builderOf(body, key, name, value);
    }
  }
  if (type === undefined || !made) throw errorAt(body, "end", `Missing definition for aggregation [${name}]`);
  if (within && !("takesSubs" in made && made.takesSubs)) {
    const pipeline = !("takesSubs" in made);
    throw illegalArgument(
      pipeline
        ? `Aggregation [${name}] cannot define sub-aggregations`
        : `Aggregator [${name}] of type [${type}] cannot accept sub-aggregations`,
    );
  }
  if (!("takesSubs" in made)) return { name, type, meta, builder: made };
  return { name, type, meta, builder: made, subs: within?.aggregations ?? [], pipelines: within?.pipelines ?? [] };
}

function builderOf(
  body: JsonObject,
  type: string,
  name: string,
  json: JsonObject,
): AggregationBuilder | PipelineBuilder {
  const parser = parsers.get(type) ?? pipelineParsers.get(type);
  if (parser) return parser(name, json);
  if (refused.has(type)) throw unsupported(`aggregation ${type}`);
  const place = positionOf(body, { value: type });
  const known = [...parsers.keys(), ...pipelineParsers.keys(), ...refused];
  const error = parsingError(`Unknown aggregation type [${type}]${suggestion(type, known)}`, {
    ...(place ? { metadata: { line: place.line, col: place.col } } : {}),
    cause: new EngineError(
      "named_object_not_found_exception",
      `${place ? `[${place.line}:${place.col}] ` : ""}unknown field [${type}]`,
    ),
  });
  throw located(error, body, { value: type });
}

/** The queries in aggregations, at all levels. */
export function queriesOf({ aggregations }: Pick<Definitions, "aggregations">): QueryBuilder[] {
  return aggregations.flatMap(({ builder, subs }) => [
    ...(builder.queries ?? []),
    ...queriesOf({ aggregations: subs }),
  ]);
}
