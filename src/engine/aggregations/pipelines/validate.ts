/** What can be said of pipelines before anything is computed: their paths, their place, and the order in which they depend on each other. */
import { EngineError, illegalArgument } from "../../errors.ts";
import { parsePath } from "../order.ts";
import type { Definition, PipelineDefinition, PipelinePlace } from "../types.ts";
import { pathNames } from "./paths.ts";

/** Aggregations of one bucket. */
const SINGLE = new Set([
  "filter",
  "missing",
  "global",
  "nested",
  "reverse_nested",
  "sampler",
  "diversified_sampler",
  "random_sampler",
]);

const hasMany = ({ type, builder }: Definition) => builder.takesSubs && !SINGLE.has(type) && type !== "composite";

/** What is wrong with the pipelines of a level and of those below; Elasticsearch's words. */
export function pipelineErrors(level: Omit<PipelinePlace, "parent">, parent?: Definition): string[] {
  const errors: string[] = [];
  try {
    for (const pipeline of inOrder(level.pipelines, level.siblings)) {
      pipeline.builder.validate(pipeline, { ...level, parent }, errors);
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    errors.push(error.reason);
  }
  for (const definition of level.siblings) {
    errors.push(...pipelineErrors({ siblings: definition.subs, pipelines: definition.pipelines }, definition));
  }
  return errors;
}

/** Pipelines that others read come before these (AggregatorFactories.resolvePipelineAggregatorOrder). @throws what is wrong with paths */
export function inOrder(
  pipelines: readonly PipelineDefinition[],
  siblings: readonly Definition[],
): readonly PipelineDefinition[] {
  const ordered: PipelineDefinition[] = [];
  const marked = new Set<PipelineDefinition>();
  const visit = (pipeline: PipelineDefinition): void => {
    if (marked.has(pipeline))
      throw illegalArgument(`Cyclical dependency found with pipeline aggregator [${pipeline.name}]`);
    if (ordered.includes(pipeline)) return;
    marked.add(pipeline);
    for (const path of pipeline.builder.paths) {
      const { elements } = parsePath(path);
      if (path === "_count" || path === "_key") continue;
      const first = siblings.find(({ name }) => name === elements[0].name);
      if (first) {
        checkWay(first, path);
        continue;
      }
      const other = pipelines.find(({ name }) => name === elements[0].name);
      if (!other) throw illegalArgument(`No aggregation found for path [${path}]`);
      visit(other);
    }
    marked.delete(pipeline);
    ordered.push(pipeline);
  };
  for (const pipeline of pipelines) visit(pipeline);
  return ordered;
}

function checkWay(first: Definition, path: string): void {
  const { elements } = parsePath(path);
  let current = first;
  for (const [i, { name }] of elements.entries()) {
    if (i === 0) continue;
    const last = i === elements.length - 1;
    if (last && (name.toLowerCase() === "_key" || name === "_count")) continue;
    const below = current.subs.find((sub) => sub.name === name);
    if (below) current = below;
    else if (!(last && current.pipelines.some((pipeline) => pipeline.name === name))) {
      throw illegalArgument(`No aggregation [${name}] found for path [${path}]`);
    }
  }
}

/** The path of a sibling pipeline leads to an aggregation of several buckets. */
export function checkSiblingPath(name: string, path: string, { siblings }: PipelinePlace, errors: string[]): void {
  const { elements } = parsePath(path);
  let current = siblings.find((each) => each.name === elements[0].name);
  if (!current) {
    errors.push(`buckets_path aggregation does not exist for aggregation [${name}]: ${path}`);
    return;
  }
  for (let at = 1; at < elements.length; at++) {
    const keyed = elements[at - 1].key?.startsWith("'") === true;
    if (hasMany(current) ? !keyed : !(SINGLE.has(current.type) && current.subs.length > 0)) break;
    const below: Definition | undefined = current.subs.find((each) => each.name === elements[at].name);
    if (!below) {
      const names = pathNames(parsePath(path)).join(", ");
      errors.push(`buckets_path aggregation does not exist for aggregation [${name}]: [${names}]`);
      return;
    }
    current = below;
  }
  if (hasMany(current)) return;
  errors.push(
    "Unable to find unqualified multi-bucket aggregation in buckets_path. Path must include a multi-bucket aggregation for aggregation " +
      `[${name}] found :${builderClass(current)} for buckets path: ${path}`,
  );
}

/** Elasticsearch's class of a builder, which its error names. */
function builderClass({ type, builder }: Definition): string {
  const camel = type.replace(/(^|_)([a-z])/g, (_, _under: string, letter: string) => letter.toUpperCase());
  const folder = builder.takesSubs ? `bucket.${type.replace("reverse_", "")}` : "metrics";
  return `org.elasticsearch.search.aggregations.${folder}.${camel}AggregationBuilder`;
}

export function checkSinglePath(name: string, paths: readonly string[], errors: string[]): void {
  if (paths.length !== 1) errors.push(`buckets_path must contain a single entry for aggregation [${name}]`);
}

/** Some pipelines go through buckets that lie side by side. @param skips buckets may be missing between others */
export function checkHistogramParent(
  type: string,
  name: string,
  parent: Definition | undefined,
  errors: string[],
  skips = false,
): void {
  const wanted = `${type} aggregation [${name}] must have a histogram, date_histogram or auto_date_histogram as parent`;
  if (!parent) errors.push(`${wanted} but doesn't have a parent`);
  else if (parent.builder.sequential === undefined) errors.push(wanted);
  else if (!skips && parent.builder.sequential.minDocCount !== 0) {
    errors.push(`parent histogram of ${type} aggregation [${name}] must have min_doc_count of 0`);
  }
}
