/**
 * Traces as OpenTelemetry spans, named and described by its conventions for generative AI. Without an SDK that is registered, nothing is
 * recorded.
 */
import {
  type Attributes,
  type Context,
  context,
  trace as openTelemetry,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from "@opentelemetry/api";
import type { Span, Step, StepAttributes, StepKind, Trace } from "../schema/index.ts";

/** The tracer, and whether texts are recorded. */
export interface OpenTelemetryOptions {
  /** Default: the registered provider's tracer `huiliu`. */
  tracer?: Tracer;
  /** Whether questions are recorded; they may be personal. Default false. */
  recordContent?: boolean;
}

/** Operations that the conventions name; the others are called by their kind. */
const OPERATIONS: Partial<Record<StepKind, string>> = { generate: "chat", embed: "embeddings", retrieve: "retrieval" };
/** Steps that call a model. */
const CALLS: ReadonlySet<StepKind> = new Set(["generate", "embed", "rerank"]);
/** Attributes that hold what people wrote. */
const CONTENT: ReadonlySet<string> = new Set(["query"]);

/** `provider/model`, or the name of a model alone. */
function modelOf(name: string): Attributes {
  const at = name.indexOf("/");
  if (at < 1) return { "gen_ai.request.model": name };
  return { "gen_ai.provider.name": name.slice(0, at), "gen_ai.request.model": name.slice(at + 1) };
}

/**
 * Makes a trace whose steps are OpenTelemetry spans, below the span that is active when a call begins.
 *
 * @example await retriever.retrieve("年休假有几天", { trace: openTelemetryTrace() });
 */
export function openTelemetryTrace(options: OpenTelemetryOptions = {}): Trace {
  const { tracer = openTelemetry.getTracer("huiliu"), recordContent = false } = options;

  const attributesOf = (attributes: StepAttributes | undefined): Attributes => {
    const out: Attributes = {};
    for (const [key, value] of Object.entries(attributes ?? {})) {
      if (value === undefined || (CONTENT.has(key) && !recordContent)) continue;
      out[key === "query" ? "gen_ai.retrieval.query.text" : `huiliu.${key}`] = Array.isArray(value)
        ? [...(value as string[])]
        : (value as string | number | boolean);
    }
    return out;
  };

  function start(step: Step, parent: Context): Span {
    const operation = OPERATIONS[step.kind] ?? step.kind;
    const call = CALLS.has(step.kind);
    const span = tracer.startSpan(
      `${operation} ${step.name}`,
      {
        kind: call ? SpanKind.CLIENT : SpanKind.INTERNAL,
        attributes: {
          "gen_ai.operation.name": operation,
          ...(call ? modelOf(step.name) : {}),
          ...(step.kind === "retrieve" ? { "gen_ai.data_source.id": step.name } : {}),
          ...attributesOf(step.attributes),
        },
      },
      parent,
    );
    const within = openTelemetry.setSpan(parent, span);
    return {
      id: span.spanContext().spanId,
      start: (inner) => start(inner, within),
      end(attributes) {
        span.setAttributes(attributesOf(attributes));
        span.end();
      },
      fail(error) {
        const message = error instanceof Error ? error.message : String(error);
        span.setAttribute("error.type", error instanceof Error ? error.name : "_OTHER");
        span.recordException(error instanceof Error ? error : message);
        span.setStatus({ code: SpanStatusCode.ERROR, message });
        span.end();
      },
    };
  }

  return { start: (step) => start(step, context.active()) };
}
