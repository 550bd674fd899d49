/** Builds a segment out of analysed documents, in memory, and lays it out as the bytes of its file. */
import type { Slices } from "../slices.ts";
import type { VectorShape } from "../vectors/types.ts";
import { combineFieldInfos } from "./field-infos.ts";
import { type SectionData, writeFile } from "./file.ts";
import { IdGatherer } from "./ids.ts";
import type { FieldMeta } from "./meta.ts";
import { NumberGatherer, writeNumeric, writePoints } from "./numbers.ts";
import { OrdinalGatherer, writeOrdinals } from "./ordinals.ts";
import { TermsGatherer } from "./terms-gatherer.ts";
import type { DocBlock, FieldInfo, IndexableField } from "./types.ts";
import { VectorGatherer } from "./vectors.ts";

export interface SegmentBuilder {
  /** Adds a root document after its nested ones. Fields of one name must agree in how they are recorded. */
  add(block: DocBlock): void;
  /** Documents so far, nested ones included. */
  readonly docCount: number;
  /** Memory in use, roughly. */
  readonly ramBytes: number;
  /**
   * The segment as chunks of one immutable blob, to be read with openSegment. The builder is used up.
   * @param slices gives the thread back now and then, and throws when the work was aborted
   */
  build(slices?: Slices): Promise<Uint8Array[]>;
}

/** The field that holds the paths of nested documents, as Elasticsearch names it. */
export const NESTED_PATH: FieldInfo = {
  name: "_nested_path",
  index: "docs",
  norms: false,
  docValues: "none",
  points: "none",
};

interface FieldState {
  info: FieldInfo;
  terms?: TermsGatherer;
  numbers?: NumberGatherer;
  ordinals?: OrdinalGatherer;
  vectors?: VectorGatherer;
}

export function createSegmentBuilder(): SegmentBuilder {
  const fields = new Map<string, FieldState>();
  const ids = new IdGatherer();
  let maxDoc = 0;

  const stateOf = (info: FieldInfo): FieldState => {
    const state = fields.get(info.name);
    if (state === undefined) {
      const created = { info };
      fields.set(info.name, created);
      return created;
    }
    if (state.info !== info) state.info = combineFieldInfos(state.info, info);
    return state;
  };
  const addField = (doc: number, field: IndexableField): void => {
    const state = stateOf(field.field);
    const { info } = state;
    switch (field.kind) {
      case "terms":
        if (info.index === "none") throw new Error(`field [${info.name}] has terms and is not indexed`);
        state.terms ??= new TermsGatherer(info);
        state.terms.add(doc, field.terms, field.weights ?? field.positions, field.length);
        return;
      case "tokens":
        if (info.index === "none") throw new Error(`field [${info.name}] has terms and is not indexed`);
        state.terms ??= new TermsGatherer(info);
        state.terms.addTokens(doc, field.tokens, field.length);
        return;
      case "numbers":
        state.numbers ??= new NumberGatherer();
        for (const value of field.values) {
          state.numbers.add(doc, value, info.docValues === "double" || info.points === "double" ? "double" : "long");
        }
        return;
      case "ordinals":
        state.ordinals ??= new OrdinalGatherer();
        for (const value of field.values) state.ordinals.add(doc, value);
        return;
      case "vector":
        state.vectors ??= new VectorGatherer(info);
        state.vectors.add(doc, field.vector, (info.vector as VectorShape).similarity);
    }
  };

  return {
    get docCount() {
      return maxDoc;
    },
    get ramBytes() {
      let sum = ids.ramBytes;
      for (const { terms, numbers, ordinals, vectors } of fields.values()) {
        sum += terms?.ramBytes ?? 0;
        sum += numbers?.ramBytes ?? 0;
        sum += ordinals?.ramBytes ?? 0;
        sum += vectors?.ramBytes ?? 0;
      }
      return sum;
    },
    add(block) {
      if (block.docs.length === 0) throw new Error(`document [${block.id}] is empty: its root is missing`);
      const root = maxDoc + block.docs.length - 1;
      for (const { nestedPath, fields: docFields } of block.docs) {
        if ((nestedPath === undefined) !== (maxDoc === root)) {
          throw new Error(`document [${block.id}] does not end with its only root`);
        }
        for (const field of docFields) addField(maxDoc, field);
        if (nestedPath !== undefined) {
          addField(maxDoc, { kind: "terms", field: NESTED_PATH, terms: [nestedPath], length: 1 });
        }
        maxDoc++;
      }
      ids.add(root, block.id, block.seqNo, block.version);
    },
    async build(slices) {
      const sections: SectionData[] = [];
      const metas: FieldMeta[] = [];
      const written = await ids.finish(maxDoc, slices);
      sections.push(...written.sections);
      for (const [name, state] of fields) {
        metas.push(await buildField(state, maxDoc, sections, slices));
        // Lets what the field gathered go before the next one sorts.
        fields.set(name, { info: state.info });
        if (slices?.due()) await slices.pause();
      }
      return writeFile({ maxDoc, ...written.meta, fields: metas }, sections, slices);
    },
  };
}

async function buildField(
  state: FieldState,
  maxDoc: number,
  sections: SectionData[],
  slices: Slices | undefined,
): Promise<FieldMeta> {
  const { info, terms, numbers, ordinals, vectors } = state;
  const { name } = info;
  const meta: { -readonly [K in keyof FieldMeta]: FieldMeta[K] } = { info };
  const inverted = await terms?.finish(info, maxDoc, slices);
  if (inverted !== undefined) {
    sections.push(...inverted.sections);
    Object.assign(meta, inverted.meta);
  }
  if (numbers !== undefined && numbers.length > 0) {
    if (info.docValues === "long" || info.docValues === "double") {
      const column = writeNumeric(name, numbers, maxDoc);
      sections.push(column.section);
      meta.numeric = column.meta;
    }
    if (info.points !== "none") {
      const points = await writePoints(name, numbers, maxDoc, slices);
      sections.push(points.section);
      meta.points = points.meta;
    }
  }
  if (ordinals !== undefined && ordinals.docs.length > 0) {
    const column = writeOrdinals(name, await ordinals.finish(slices), maxDoc, inverted?.sections);
    sections.push(...column.sections);
    meta.ordinals = column.meta;
  }
  if (vectors !== undefined) {
    const column = await vectors.finish(info.vector as VectorShape, maxDoc, slices);
    sections.push(...column.sections);
    meta.vectors = column.meta;
  }
  return meta;
}
