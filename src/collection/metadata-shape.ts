/**
 * Which metadata an index can hold. A field of an index is either a value or an object, for all documents; files agree about nothing
 * (`author: Bob` in one, `author: {name: Bob}` in the next). What came first decides. What does not fit is kept in the passage itself,
 * where it is shown and given to models, and left out of the fields that filters ask; the caller is told.
 */
import type { Client, estypes } from "@elastic/elasticsearch";
import { METADATA_FIELD } from "../elasticsearch/layout.ts";
import type { Metadata, MetadataValue } from "../schema/index.ts";

/** Each name takes up to three fields, and an index has at most 1000. */
const MOST_NAMES = 300;
const LONGEST_NAME = 500;
/** Elasticsearch allows 20 levels, of which `metadata` is one. */
const MOST_LEVELS = 15;

type Kind = "value" | "object";

export interface MetadataShape {
  /** Takes a passage's metadata in. @returns the keys that do not fit */
  misfits(metadata: Metadata): string[];
}

export async function metadataShape(client: Client, collection: string): Promise<MetadataShape> {
  const kinds = new Map<string, Kind>();
  const answer = await client.indices.getMapping({ index: collection });
  const { mappings } = Object.values(answer)[0]!;
  learn(mappings.properties?.[METADATA_FIELD], "", kinds);
  return {
    misfits(metadata) {
      return Object.entries(metadata).flatMap(([key, value]) => {
        const own: Shape = new Map();
        const fits = shapeOf(key, value, own) && agrees(own, kinds);
        if (fits) for (const [path, { kind }] of own) kinds.set(path, kind);
        return fits ? [] : [key];
      });
    },
  };
}

function learn(property: estypes.MappingProperty | undefined, path: string, kinds: Map<string, Kind>): void {
  const properties = property && "properties" in property ? property.properties : undefined;
  if (path !== "") kinds.set(path, properties === undefined && property?.type !== "object" ? "value" : "object");
  for (const [name, inner] of Object.entries(properties ?? {}))
    learn(inner, path === "" ? name : `${path}.${name}`, kinds);
}

function agrees(own: Shape, kinds: ReadonlyMap<string, Kind>): boolean {
  let unknown = 0;
  for (const [path, { kind, types }] of own) {
    const known = kinds.get(path);
    if (known !== undefined && known !== kind) return false;
    if (known !== undefined) continue;
    unknown++;
    // A field that is not there yet gets the type of the first value, and that of the second.
    if (types.size > 1) return false;
  }
  return unknown === 0 || kinds.size + unknown <= MOST_NAMES;
}

/** What a value is at each path, with the types of its scalars. */
type Shape = Map<string, { kind: Kind; types: Set<string> }>;

/** @returns false for what no index takes, whatever else it holds */
function shapeOf(path: string, value: MetadataValue | undefined, own: Shape): boolean {
  const parts = path.split(".");
  if (path.length > LONGEST_NAME || parts.length > MOST_LEVELS || parts.some((part) => part.trim() === ""))
    return false;
  for (let i = 1; i < parts.length; i++) if (!note(parts.slice(0, i).join("."), "object", own)) return false;
  const items = flat(value);
  for (const item of items) {
    if (item === null || item === undefined) continue;
    if (typeof item !== "object") {
      if (!note(path, "value", own, typeof item)) return false;
    } else {
      if (!note(path, "object", own)) return false;
      for (const [key, inner] of Object.entries(item)) if (!shapeOf(`${path}.${key}`, inner, own)) return false;
    }
  }
  // Nulls in a list are values, in which an object's field finds no object.
  return !(Array.isArray(value) && own.get(path)?.kind === "object" && items.includes(null));
}

type Item = Exclude<MetadataValue, MetadataValue[]> | undefined;

function flat(value: MetadataValue | undefined): Item[] {
  return Array.isArray(value) ? value.flatMap(flat) : [value];
}

function note(path: string, kind: Kind, own: Shape, type?: string): boolean {
  const known = own.get(path) ?? { kind, types: new Set() };
  if (type !== undefined) known.types.add(type);
  own.set(path, known);
  return known.kind === kind;
}
