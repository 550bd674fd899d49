import { crc32 as zlibCrc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { EngineError } from "../../../src/engine/errors.ts";
import { crc32 } from "../../../src/engine/segment/crc32.ts";
import { createSegmentBuilder, FixedBitSet, mergeSegments, openSegment } from "../../../src/engine/segment/index.ts";
import { createSlices } from "../../../src/engine/slices.ts";
import { BODY, block, build, COUNT, dump, join, open, PRICE, TAG, text, VECTOR } from "./support.ts";

/** A segment with every kind of section. */
async function everySection(): Promise<Uint8Array> {
  const list = Array.from({ length: 150 }, (_, i) =>
    block(
      `id-${i}`,
      [
        text(BODY, ["often", ...(i % 3 === 0 ? ["third", "third"] : [`rare${i}`])]),
        text(TAG, [`t${i % 5}`]),
        { kind: "ordinals", field: TAG, values: i % 2 === 0 ? [`t${i % 5}`, "more"] : [`t${i % 5}`] },
        { kind: "numbers", field: COUNT, values: i % 4 === 0 ? [] : [i, -i * 1000] },
        { kind: "numbers", field: PRICE, values: [i / 7] },
        ...(i % 2 === 0 ? [{ kind: "vector", field: VECTOR, vector: Float32Array.of(i + 1, 2, 3) } as const] : []),
      ],
      i % 10 === 0 ? [{ nestedPath: "parts", fields: [text(BODY, ["nested"])] }] : [],
    ),
  );
  return build(list);
}

/** Names of the sections that were asked for, by the error messages that damage to them gives. */
const placeOf = (error: unknown): string | undefined =>
  error instanceof EngineError && error.type === "corrupt_index_exception"
    ? /\[memory\/s, ([^\]]+)\]/.exec(error.message)?.[1]
    : undefined;

function use(bytes: Uint8Array): void {
  const segment = open(bytes);
  dump(segment);
  segment.verify();
}

describe("damage", () => {
  test("a segment of another format is refused with its format", async () => {
    const bytes = await build([block("id", [text(BODY, ["word"])])]);
    const opening = (format: number) => () => {
      new DataView(bytes.buffer, bytes.byteOffset).setUint32(8, format, true);
      open(bytes);
    };
    for (const format of [0, 1, 2]) {
      expect(opening(format)).toThrow(
        expect.objectContaining({
          type: "index_format_too_old_exception",
          message: `segment [memory/s] has format ${format}, this version reads formats from 3 on; index the documents again`,
        }),
      );
    }
    expect(opening(3)).not.toThrow();
    expect(opening(4)).toThrow(expect.objectContaining({ type: "index_format_too_new_exception" }));
  });

  test("a flipped bit anywhere is found, named, and nothing is answered from it", async () => {
    const bytes = await everySection();
    const whole = dump(open(bytes));
    const places = new Set<string>();
    for (let at = 0; at < bytes.length; at += at < 64 || at > bytes.length - 64 ? 1 : 13) {
      const damaged = bytes.slice();
      damaged[at] ^= 1 << (at & 7);
      let segment: ReturnType<typeof open>;
      try {
        segment = open(damaged);
      } catch (error) {
        expect(error).toBeInstanceOf(EngineError);
        places.add(placeOf(error) ?? (error as EngineError).type);
        continue;
      }
      let error: unknown;
      try {
        segment.verify();
      } catch (thrown) {
        error = thrown;
      }
      const place = placeOf(error);
      expect(place, `byte ${at}`).toBeDefined();
      places.add(place ?? "");
      // What does not touch the section is answered as before; what does, is refused.
      try {
        expect(dump(segment)).toEqual(whole);
      } catch (thrown) {
        expect(placeOf(thrown)).toBe(place);
      }
    }
    for (const part of ["postings", "blocks", "impacts", "positions", "norms", "terms"]) {
      expect(places).toContain(`${part} of field body`);
    }
    expect([...places]).toEqual(
      expect.arrayContaining([
        "head",
        "index_format_too_new_exception",
        "table of contents",
        "ids",
        "id documents",
        "sequence numbers",
        "roots",
        "ordinals of field tag",
        "doc values of field count",
        "points of field price",
        "vectors of field vector",
        "vector docs of field vector",
        "vector lengths of field vector",
      ]),
    );
  }, 60_000);

  test("a file cut short or with more at its end is refused when it is opened", async () => {
    const bytes = await everySection();
    for (const length of [0, 1, 15, 16, 31, 32, 100, bytes.length >> 1, bytes.length - 16, bytes.length - 1]) {
      expect(() => open(bytes.slice(0, length)), `${length} bytes`).toThrow("restore this data folder");
    }
    expect(() => open(join([bytes, new Uint8Array(8)]))).toThrow("table of contents");
    expect(() => open(join([bytes.slice(0, 64), bytes.slice(72)]))).toThrow("table of contents");
  });

  test("a damaged segment is not merged into another", async () => {
    const bytes = await everySection();
    bytes[40] ^= 4;
    const leaf = { segment: open(bytes), live: undefined };
    await expect(mergeSegments([leaf], createSlices())).rejects.toThrow("a wrong checksum");
  });

  test("a source that gives fewer bytes than asked for is named", async () => {
    const bytes = await everySection();
    const source = { size: bytes.length, crc32, location: "disk/s" };
    const read = (offset: number, length: number) => bytes.slice(offset, offset + Math.min(length, 10));
    expect(() => openSegment("s", { ...source, read })).toThrow("10 of 16 bytes could be read in [disk/s, head]");
  });

  test("the undamaged file passes", async () => {
    expect(use(await everySection())).toBeUndefined();
  });
});

describe("building", () => {
  test("an empty segment and documents without fields can be read and merged", async () => {
    for (const list of [[], [block("a", [])], [block("", [text(BODY, [])])]]) {
      const segment = open(await build(list));
      segment.verify();
      expect(segment.maxDoc).toBe(list.length);
      expect(segment.docOf("b")).toBe(-1);
      expect(segment.terms("body")).toBeUndefined();
      const merged = open(join(await mergeSegments([{ segment, live: undefined }], createSlices())));
      expect(dump(merged)).toEqual(dump(segment));
    }
  });

  test("the same id twice: the newest document is found", async () => {
    const segment = open(await build(["b", "a", "b", "c", "a", "b"].map((id) => block(id, []))));
    expect(["a", "b", "c", "d"].map((id) => segment.docOf(id))).toEqual([4, 5, 3, -1]);
  });

  test("strings that UTF-8 does not tell apart are one term; order is that of bytes, not of UTF-16", async () => {
    const words = ["\u{10000}", "\uffff", "\ud800", "\udfff", "\ufffd", "z", "\0", "a\ud83d", "a\ufffd"];
    const segment = open(await build([block("1", [text(BODY, words)])]));
    const terms = segment.terms("body");
    const all = Array.from({ length: terms?.size ?? 0 }, (_, ord) => [terms?.term(ord), terms?.totalTermFreq(ord)]);
    expect(all).toEqual([
      ["\0", 1],
      ["a\ufffd", 2],
      ["z", 1],
      ["\ufffd", 3],
      ["\uffff", 1],
      ["\u{10000}", 1],
    ]);
    expect(terms?.lookup("\ud900")).toBe(3);
    expect(terms?.seekCeil("b")).toBe(2);
    expect(terms?.seekCeil("\u{10001}")).toBe(6);
  });

  test("long terms, many values and wide gaps survive", async () => {
    const long = "界".repeat(20_000);
    const many = Array.from({ length: 5000 }, (_, i) => BigInt(i) * 3_600_000_000_000_000n - 9n * 10n ** 18n);
    const list = [
      block("1", [text(BODY, [long, "x", long], [1, 2_000_000_000, 1])]),
      block("2", [{ kind: "numbers", field: COUNT, values: many }]),
    ];
    const segment = open(await build(list));
    const terms = segment.terms("body");
    const postings = terms?.postings(terms.lookup(long), { positions: true });
    postings?.nextDoc();
    expect([postings?.freq(), postings?.nextPosition(), postings?.nextPosition()]).toEqual([2, 0, 2_000_000_001]);
    const column = segment.numeric("count");
    expect(column?.bigint(0)).toBe(many[0]);
    const points = segment.points("count");
    expect([points?.min(), points?.max()]).toEqual([many[0], many.at(-1)]);
    expect(points?.count(many[10], many[20])).toBe(11);
  });

  test("a long beyond 64 bits is refused, not wrapped", () => {
    const builder = createSegmentBuilder();
    const values = [2n ** 63n];
    expect(() => builder.add(block("1", [{ kind: "numbers", field: COUNT, values }]))).toThrow("64 bits");
  });

  test("positions must be there and ascend", async () => {
    const builder = createSegmentBuilder();
    const field = (positions?: number[]) =>
      ({ kind: "terms", field: BODY, terms: ["a", "b"], positions, length: 2 }) as const;
    expect(() => builder.add(block("1", [field()]))).toThrow("2 tokens came with 0 positions");
    expect(() => builder.add(block("1", [field([3, 1])]))).toThrow("position 1 comes after position 3");
  });

  test("work is done in slices, and an abort stops it", async () => {
    const builder = createSegmentBuilder();
    for (let i = 0; i < 2000; i++) builder.add(block(`${i}`, [text(BODY, [`w${i}`, "all"])]));
    let pauses = 0;
    const slices = {
      ...createSlices(),
      due: () => true,
      async pause() {
        if (++pauses > 5) throw new Error("stopped");
      },
    };
    await expect(builder.build(slices)).rejects.toThrow("stopped");
  });
});

describe("points", () => {
  test("ranges are inclusive, each document once, with the order of doubles", async () => {
    const values = [[-0], [0], [1.5, 1.5], [-1, 2], [Number.MAX_VALUE], [Number.NEGATIVE_INFINITY], []];
    const segment = open(
      await build(values.map((list, i) => block(`${i}`, [{ kind: "numbers", field: PRICE, values: list }]))),
    );
    const points = segment.points("price");
    const docs = (low: number, high: number) => {
      const iterator = points?.range(low, high);
      const found: number[] = [];
      for (let doc = iterator?.nextDoc() ?? 9; doc < 9; doc = iterator?.nextDoc() ?? 9) found.push(doc);
      return found;
    };
    expect(docs(0, 2)).toEqual([1, 2, 3]);
    expect(docs(-0, 0)).toEqual([0, 1]);
    expect(docs(-1, 2)).toEqual([0, 1, 2, 3]);
    expect(docs(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(docs(2, 1)).toEqual([]);
    expect(points?.count(-1, 2)).toBe(6);
  });
});

describe("checksums and bit sets", () => {
  test("CRC-32 is zlib's, whole or in parts", () => {
    for (const length of [0, 1, 7, 8, 9, 1000]) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 31) ^ (i >> 3));
      expect(crc32(bytes)).toBe(zlibCrc32(bytes));
      expect(crc32(bytes.subarray(5), crc32(bytes.subarray(0, 5)))).toBe(zlibCrc32(bytes));
    }
  });

  test("a bit set agrees with a set", () => {
    for (const length of [0, 1, 31, 32, 33, 100]) {
      const bits = new FixedBitSet(length);
      const set = new Set<number>();
      for (let i = 0; i < length; i += 1 + (i % 5)) {
        bits.set(i);
        set.add(i);
      }
      for (let i = 3; i < length; i += 7) {
        bits.clear(i);
        set.delete(i);
      }
      const sorted = [...set].sort((a, b) => a - b);
      for (let i = 0; i < length; i++) {
        expect(bits.get(i)).toBe(set.has(i));
        expect(bits.nextSetBit(i)).toBe(sorted.find((x) => x >= i) ?? 0x7fffffff);
        expect(bits.previousSetBit(i)).toBe(sorted.findLast((x) => x <= i) ?? -1);
      }
      expect(bits.cardinality()).toBe(set.size);
      expect(FixedBitSet.fromBytes(bits.toBytes(), length).words).toEqual(bits.words);
      const all = new FixedBitSet(length);
      all.setRange(0, length);
      expect(all.cardinality()).toBe(length);
      for (let from = 0; from <= length; from += 5) {
        for (let to = from; to <= length; to += 9) {
          const range = new FixedBitSet(length);
          range.setRange(from, to);
          expect(range.cardinality()).toBe(to - from);
          expect(range.nextSetBit(0)).toBe(to > from ? from : 0x7fffffff);
        }
      }
      const copy = bits.clone();
      copy.or(all);
      expect(copy.cardinality()).toBe(length);
      copy.and(bits);
      expect(copy.words).toEqual(bits.words);
      copy.andNot(bits);
      expect(copy.cardinality()).toBe(0);
    }
    expect(() => FixedBitSet.fromBytes(Uint8Array.of(0xff), 3)).toThrow("beyond its end");
    expect(() => new FixedBitSet(3).set(3)).toThrow("outside");
  });
});
