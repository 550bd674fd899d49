/** Computes the pipelines of reduced results, the innermost first (InternalAggregation.reducePipelines). */
import { EngineError } from "../../errors.ts";
import type { Definitions } from "../parse.ts";
import { reducing } from "../reduce.ts";
import type { Bucket, Definition, Internal, PipelineDefinition, ReduceContext } from "../types.ts";
import { inOrder } from "./validate.ts";

/** @throws what fails in them, as an error of the reduction */
export function applyPipelines(
  results: readonly Internal[],
  { aggregations, pipelines }: Definitions,
  context: ReduceContext,
): readonly Internal[] {
  try {
    const own = results.map((result) => within(result, definitionOf(result, aggregations), context));
    return siblings(own, inOrder(pipelines, aggregations), context);
  } catch (error) {
    const plain = error instanceof EngineError && error.type !== "search_phase_execution_exception";
    throw plain ? reducing(error) : error;
  }
}

const definitionOf = ({ name }: Internal, definitions: readonly Definition[]) =>
  definitions.find((definition) => definition.name === name)!;

const hasPipelines = ({ subs, pipelines }: Definition): boolean => pipelines.length > 0 || subs.some(hasPipelines);

function within(result: Internal, definition: Definition, context: ReduceContext): Internal {
  if (!hasPipelines(definition)) return result;
  const { kind } = result;
  const below = (subs: readonly Internal[]) =>
    subs.map((sub) => within(sub, definitionOf(sub, definition.subs), context));
  let { data } = result;
  if (kind.buckets) {
    const { list, with: replace } = kind.buckets;
    data = replace(
      data,
      list(data).map((bucket): Bucket => ({ ...bucket, subs: below(bucket.subs) })),
    );
  } else if (kind.bucket) data = kind.withSubs!(data, below(kind.bucket(data).subs));
  return inOrder(definition.pipelines, definition.subs).reduce(
    (around, pipeline) => applied(around, pipeline, context),
    { ...result, data },
  );
}

function applied(around: Internal, pipeline: PipelineDefinition, context: ReduceContext): Internal {
  const { parent, sibling } = pipeline.builder;
  if (parent) return parent(around, pipeline, context);
  const { kind, data } = around;
  const more = (subs: readonly Internal[]) => [...subs, sibling!(subs, pipeline, context)];
  if (kind.buckets) {
    const { list, with: replace } = kind.buckets;
    return {
      ...around,
      data: replace(
        data,
        list(data).map((bucket): Bucket => ({ ...bucket, subs: more(bucket.subs) })),
      ),
    };
  }
  return { ...around, data: kind.withSubs!(data, more(kind.bucket!(data).subs)) };
}

function siblings(
  results: readonly Internal[],
  pipelines: readonly PipelineDefinition[],
  context: ReduceContext,
): readonly Internal[] {
  const all = [...results];
  for (const pipeline of pipelines) {
    const { sibling } = pipeline.builder;
    if (sibling) all.push(sibling(all, pipeline, context));
  }
  return all;
}
