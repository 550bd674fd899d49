import { expect } from "vitest";
import { defineRetriever, type Retrievable, recursiveRetriever } from "../../../src/retrieval/index.ts";
import { indexNode, type Metadata, type QueryEngine, type Retriever, response } from "../../../src/schema/index.ts";
import { expectClose, fromScored, type JsonNode, type Outcome, type Topic, toNode, toScored } from "../support.ts";

type Thing =
  | { kind: "retriever"; returns: (JsonNode & { obj?: string })[]; object_map?: Record<string, string> }
  | { kind: "engine"; answer: string; metadata?: Metadata | null; sources?: JsonNode[] }
  | { kind: "node"; node: JsonNode }
  | { kind: "node_with_score"; node: JsonNode }
  | { kind: "other"; value: unknown };

interface Input {
  via: "object" | "recursive";
  query: string;
  world: Record<string, Thing>;
  query_response_template?: string;
  all?: boolean;
}

interface Result {
  nodes: JsonNode[];
  additional?: JsonNode[];
  calls: [string, string][];
}

export const topic: Topic<Input> = {
  async run({ via, query, world, query_response_template, all }) {
    const calls: [string, string][] = [];
    const things = build(world, calls);
    const known = new Set(idsIn(world));
    const print = (nodes: Parameters<typeof fromScored>[0][]) =>
      nodes.map((item) => fromScored(item)).map((node) => (known.has(node.id) ? node : { ...node, id: "<new>" }));
    if (via === "object") {
      return { nodes: print(await (things.get("root") as Retriever).retrieve(query)), calls };
    }
    const ofKind = (...kinds: string[]) =>
      Object.fromEntries(
        Object.entries(world).flatMap(([name, thing]) =>
          kinds.includes(thing.kind) ? [[name, things.get(name)]] : [],
        ),
      );
    const retriever = recursiveRetriever({
      retrievers: ofKind("retriever") as Record<string, Retriever>,
      engines: ofKind("engine") as Record<string, QueryEngine>,
      nodes: ofKind("node") as never,
      ...(query_response_template === undefined ? {} : { queryResponseTemplate: query_response_template }),
    });
    const { nodes, additionalSources } = await retriever.retrieveAll(query);
    return { nodes: print(nodes), ...(all ? { additional: print(additionalSources) } : {}), calls };
  },
  quirks: {
    "better drop the node": ({ value }: Outcome, expected: Result) => {
      expectClose(value, { ...expected, nodes: expected.nodes.filter((node) => node.text !== "None") }, 1e-9);
    },
    "a score of 0 counts as missing": ({ value }: Outcome, expected: Result) => {
      expectClose(value, { ...expected, nodes: expected.nodes.map((node) => ({ ...node, score: 0 })) }, 1e-9);
    },
    "endless recursion": ({ value, error }: Outcome) => {
      if (error !== undefined) return;
      expect((value as unknown as Result).calls.length).toBeLessThan(10);
    },
  },
};

function build(world: Record<string, Thing>, calls: [string, string][]): Map<string, unknown> {
  const things = new Map<string, unknown>();
  const maps = new Map<string, Map<string, Retrievable>>();
  for (const [name, thing] of Object.entries(world)) {
    maps.set(name, new Map());
    things.set(name, make(name, thing, things, maps.get(name)!, calls));
  }
  // Things may point to each other.
  for (const [name, thing] of Object.entries(world)) {
    if (thing.kind !== "retriever") continue;
    for (const [id, other] of Object.entries(thing.object_map ?? {})) {
      maps.get(name)!.set(id, things.get(other) as Retrievable);
    }
  }
  return things;
}

function make(
  name: string,
  thing: Thing,
  things: ReadonlyMap<string, unknown>,
  objects: ReadonlyMap<string, Retrievable>,
  calls: [string, string][],
): unknown {
  switch (thing.kind) {
    case "retriever":
      return defineRetriever(
        ({ query }) => {
          calls.push([name, query]);
          return thing.returns.map((json) => {
            const item = toScored(json);
            return json.obj && item.node.type === "index"
              ? { ...item, node: indexNode({ ...item.node, obj: things.get(json.obj) }) }
              : item;
          });
        },
        { objects },
      );
    case "engine":
      return {
        async query(query: { query: string }) {
          calls.push([name, query.query]);
          return response({
            text: thing.answer,
            sources: (thing.sources ?? []).map(toScored),
            metadata: thing.metadata ?? {},
          });
        },
      };
    case "node":
      return toNode(thing.node);
    case "node_with_score":
      return toScored(thing.node);
    case "other":
      return thing.value;
  }
}

function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (typeof value !== "object" || value === null) return [];
  const own = "id" in value && "text" in value ? [String(value.id)] : [];
  return [...own, ...Object.values(value).flatMap(idsIn)];
}
