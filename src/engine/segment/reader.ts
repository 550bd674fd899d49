/** Reads a segment: every structure is loaded and checked when it is first asked for, and kept. */
import type { Dictionary } from "./dictionary.ts";
import { openFile, type SegmentSource } from "./file.ts";
import { readIds } from "./ids.ts";
import type { FieldMeta } from "./meta.ts";
import { readNorms } from "./norms.ts";
import { readNumeric, readPoints, type SegmentNumeric, type SegmentPoints } from "./numbers.ts";
import { readOrdinals } from "./ordinals.ts";
import { readTerms, type SegmentTerms } from "./terms-reader.ts";
import type { OrdinalColumn, SegmentReader } from "./types.ts";
import { readVectors, type StoredColumn } from "./vectors.ts";

/** What merging reads beside the contract. */
export interface OpenSegment extends SegmentReader {
  readonly rootCount: number;
  terms(field: string): SegmentTerms | undefined;
  numeric(field: string): SegmentNumeric | undefined;
  points(field: string): SegmentPoints | undefined;
  vectors(field: string): StoredColumn | undefined;
  ordinals(field: string): (OrdinalColumn & { readonly dictionary: Dictionary }) | undefined;
}

/**
 * Opens a segment: reads its table of contents.
 * @param name the segment's name within its index
 * @param source its bytes; `location` names them in errors
 * @throws corrupt() for what is not a whole segment, here or, for one section, when it is first used
 */
export function openSegment(name: string, source: SegmentSource): OpenSegment {
  const file = openFile(source);
  const { maxDoc, rootCount } = file.meta;
  const fields = new Map(file.meta.fields.map((field) => [field.info.name, field]));
  const infos = file.meta.fields.map((field) => field.info);
  const ids = readIds(file);
  const extras: (() => number)[] = [ids.extraBytes];

  /** A part of each field, made once. */
  const cached = <T extends object>(read: (field: FieldMeta) => T | undefined): ((field: string) => T | undefined) => {
    const made = new Map<string, T | undefined>();
    return (fieldName) => {
      const known = made.get(fieldName);
      if (known !== undefined) return known;
      const field = fields.get(fieldName);
      const part = field === undefined ? undefined : read(field);
      if (part === undefined) return undefined;
      made.set(fieldName, part);
      if ("extraBytes" in part) extras.push(() => part.extraBytes as number);
      return part;
    };
  };
  const norms = cached((field) => readNorms(file, field));
  const terms = cached((field) =>
    field.terms === undefined ? undefined : readTerms(file, field, field.terms, () => norms(field.info.name)),
  );
  return {
    name,
    maxDoc,
    rootCount,
    fieldInfos: () => infos,
    terms,
    norms,
    numeric: cached((field) => readNumeric(file, field)),
    ordinals: cached((field) => readOrdinals(file, field)),
    points: cached((field) => readPoints(file, field)),
    vectors: cached((field) => readVectors(file, field)),
    roots: ids.roots,
    id: ids.id,
    seqNo: ids.seqNo,
    version: ids.version,
    docOf: ids.docOf,
    residentBytes: () => extras.reduce((sum, bytes) => sum + bytes(), file.residentBytes()),
    verify: () => file.verify(),
  };
}
