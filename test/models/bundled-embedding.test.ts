import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { assetPath } from "../../src/models/asset.ts";
import { bundledEmbedding } from "../../src/models/bundled-embedding.ts";
import { type StaticEmbedding, staticEmbedding } from "../../src/models/static-embedding.ts";
import { isZero } from "../../src/schema/models.ts";

interface Golden {
  tolerance: number;
  dims: number;
  items: { text: string; ids: number[]; vector: number[] }[];
}

let golden: Golden;
let bytes: Uint8Array;
let model: StaticEmbedding;

beforeAll(async () => {
  golden = JSON.parse(await readFile(new URL("fixtures/embedding-golden.json", import.meta.url), "utf8")) as Golden;
  bytes = await readFile(await assetPath("embedding/model.bin"));
  model = staticEmbedding(bytes);
});

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, x, i) => sum + x * b[i]!, 0);
}

describe("the bundled embedding", () => {
  test("gives the reference encoder's tokens, in order", () => {
    for (const { text, ids } of golden.items) expect(model.encode(text), text).toEqual(ids);
  });

  test("gives the reference encoder's vectors", () => {
    for (const { text, vector } of golden.items) {
      const own = model.embed(text);
      expect(own.length).toBe(golden.dims);
      const worst = Math.max(...vector.map((x, i) => Math.abs(x - own[i]!)));
      expect(worst, text).toBeLessThan(golden.tolerance);
    }
  });

  test("is the same for queries and documents, whatever came before", async () => {
    const embedding = bundledEmbedding();
    const texts = golden.items.map((item) => item.text);
    const first = await embedding.embed(texts, { kind: "query" });
    const second = await embedding.embed([...texts].reverse(), { kind: "document" });
    expect(second.reverse()).toEqual(first);
    expect(embedding.dimensions).toBe(first[0]!.length);
  });

  test("says by a zero vector that it knows no token", async () => {
    const vectors = await bundledEmbedding().embed(["", "   ", "!?…", "ひらがな", "한국어", "😀", "\0", "\ud800"]);
    expect(vectors.map(isZero)).toEqual(vectors.map(() => true));
  });

  test("gives vectors of length one for every other text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const vector = model.embed(text);
        if (model.encode(text).length === 0) expect(isZero(vector)).toBe(true);
        else expect(dot(vector, vector)).toBeCloseTo(1, 4);
      }),
    );
  });

  test("reads widths, accents, case and traditional characters as one", () => {
    expect(model.encode("ＣＡＦÉ １２３")).toEqual(model.encode("cafe 123"));
    expect(model.encode("忘記密碼")).toEqual(model.encode("忘记密码"));
    // Compatibility characters, and a combining mark between Chinese characters, take the long way to the same tokens.
    expect(model.encode("中\u0301国 ⼭")).toEqual(model.encode("中国 山"));
  });

  test("puts texts of one meaning nearer than others, across languages as well", () => {
    const [question, answer, other] = ["How many days of annual leave?", "年假有几天", "打印机卡纸了怎么办"].map((t) =>
      model.embed(t),
    );
    expect(dot(question!, answer!)).toBeGreaterThan(dot(question!, other!));
  });

  test("embeds a huge run without a break", () => {
    expect(isZero(model.embed("请假制度".repeat(50_000)))).toBe(false);
    expect(model.encode("z".repeat(1_000_000)).length).toBeLessThanOrEqual(41);
  });

  test("ends when its signal is aborted", async () => {
    const controller = new AbortController();
    const texts = Array.from({ length: 50_000 }, (_, i) => `年休假共五天 ${i}`);
    const work = bundledEmbedding().embed(texts, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 1);
    await expect(work).rejects.toThrow("enough");
  });

  test("refuses bytes that are no embedding file, and cut ones", () => {
    expect(() => staticEmbedding(new Uint8Array(40))).toThrow(expect.objectContaining({ code: "MODEL_FILE_INVALID" }));
    expect(() => staticEmbedding(bytes.subarray(0, 100_000))).toThrow(
      expect.objectContaining({ code: "MODEL_FILE_INVALID" }),
    );
    expect(() => staticEmbedding(bytes.subarray(0, 30))).toThrow(
      expect.objectContaining({ code: "MODEL_FILE_INVALID" }),
    );
  });

  test("reads a file at any address", () => {
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    const other = staticEmbedding(shifted.subarray(1));
    expect(other.embed("年休假")).toEqual(model.embed("年休假"));
  });
});

describe("identifiers", () => {
  const split = (text: string) => model.encode(text, { identifiers: true });

  test("are read as the words that their capitals tell apart, where that is wanted", async () => {
    expect(split("getUserName")).toEqual(model.encode("get user name"));
    expect(split("parseXMLDocument(HTTPServer)")).toEqual(model.encode("parse xml document http server"));
    expect(split("get_user_name")).toEqual(model.encode("get user name"));
    expect(split("SQLError in café: readFileSync")).toEqual(model.encode("sql error in cafe read file sync"));
    expect(split("getUserName")).not.toEqual(model.encode("getUserName"));
    const [own] = await bundledEmbedding({ identifiers: true }).embed(["getUserName"]);
    expect(own).toEqual(model.embed("get user name"));
  });

  test("stay one word where the whole is known, or has no hump", () => {
    for (const text of ["JavaScript", "YouTube", "USA", "Leave", "PDF"])
      expect(split(text), text).toEqual(model.encode(text));
  });

  test("change nothing in text without them, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 30 }), (text) => {
        const plain = text.toLowerCase();
        expect(split(plain)).toEqual(model.encode(plain));
      }),
    );
  });
});
