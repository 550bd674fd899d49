import { readFileSync } from "node:fs";
import { createAnalysisRegistry } from "../../../src/engine/analysis/index.ts";
import type { EngineError } from "../../../src/engine/errors.ts";
import { parseJson } from "../../../src/engine/json/parse.ts";
import type { JsonObject } from "../../../src/engine/json/types.ts";
import { writeJson } from "../../../src/engine/json/write.ts";
import { type IndexMapping, parseMapping } from "../../../src/engine/mapping/index.ts";
import type { Mapping } from "../../../src/engine/mapping/types.ts";
import { decodeUtf8 } from "../../../src/engine/segment/bytes.ts";
import { readTokens } from "../../../src/engine/segment/tokens.ts";
import type { IndexableField, LuceneDoc } from "../../../src/engine/segment/types.ts";
import { resources } from "../analysis/resources.ts";

export const analysis = createAnalysisRegistry({}, resources);

export function mappingOf(json: string | object, settings: { readonly [name: string]: string } = {}): IndexMapping {
  const text = typeof json === "string" ? json : JSON.stringify(json);
  return parseMapping(parseJson(text) as JsonObject, { analysis, setting: (name) => settings[name] });
}

export function printed(mapping: Mapping): unknown {
  return JSON.parse(writeJson(mapping.toJson()));
}

/** Parses a document; `root` is its root document, `nested` those before it. */
export function parseDoc(mapping: Mapping, source: string | object, id = "1") {
  const text = typeof source === "string" ? source : JSON.stringify(source);
  const parsed = mapping.parse({ id, source: parseJson(text) as JsonObject, seqNo: 0, version: 1 });
  const { docs } = parsed.block;
  return { mapping: parsed.mapping, root: docs[docs.length - 1], nested: docs.slice(0, -1) };
}

/** Tokens of texts are given as terms. */
export function fieldOf<K extends IndexableField["kind"]>(doc: LuceneDoc, name: string, kind: K) {
  const found = doc.fields.map(readable).find((field) => field.kind === kind && field.field.name === name);
  return found as Extract<IndexableField, { kind: K }> | undefined;
}

function readable(field: IndexableField): IndexableField {
  if (field.kind !== "tokens") return field;
  const { tokens, length } = field;
  const terms: string[] = [];
  const positions: number[] = [];
  readTokens(tokens, (from, to, position) => {
    terms.push(decodeUtf8(tokens.bytes, from, to));
    positions.push(position);
  });
  return { kind: "terms", field: field.field, terms, length, ...(tokens.positions ? { positions } : {}) };
}

export function errorOf(run: () => unknown): EngineError | undefined {
  try {
    run();
  } catch (error) {
    return error as EngineError;
  }
  return undefined;
}

/** What Elasticsearch 8.17.4 answered. */
export function recorded<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`recorded/${name}.json`, import.meta.url), "utf8")) as T;
}
