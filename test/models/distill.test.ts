import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openStaticEmbedding } from "../../src/models/bundled-embedding.ts";
import { distill } from "../../src/models/distill.ts";
import { embeddingModelFromName } from "../../src/models/from-name.ts";
import { principalComponents, project } from "../../src/models/principal.ts";
import { staticEmbedding } from "../../src/models/static-embedding.ts";
import { writeStaticFile } from "../../src/models/static-file.ts";
import type { EmbeddingModel } from "../../src/schema/index.ts";

const WORDS = ["▁leave", "▁vacation", "▁printer", "▁toner", "▁the", "▁of", "年假", "休假", "打印", "机", "▁", "x"];
/** Vectors of two subjects in a space of sixteen dimensions, with a part that all share. */
const SUBJECT: Record<string, number> = {
  leave: 0,
  vacation: 0,
  年假: 0,
  休假: 0,
  printer: 1,
  toner: 1,
  打印: 1,
  机: 1,
};

function teacher(size = 16): EmbeddingModel & { asked: string[] } {
  const asked: string[] = [];
  return {
    name: "teacher/model",
    dimensions: size,
    similarity: "cosine",
    asked,
    async embed(texts) {
      asked.push(...texts);
      return texts.map((text) =>
        Float32Array.from({ length: size }, (_, i) => {
          const own = 0.2 * Math.sin(i * 7 + [...text].reduce((sum, c) => sum + c.codePointAt(0)!, 0));
          return 3 + own + (SUBJECT[text] === undefined ? 0 : i % 2 === SUBJECT[text] ? 1 : -1);
        }),
      );
    },
  };
}

/** A file with the words, each as likely as the one before it by half. */
function vocabulary(): Uint8Array {
  const scores = Uint16Array.from(WORDS, (word, i) => (/the|of/.test(word) ? 2000 : 9000 + 10 * i));
  const header = {
    bits: 4,
    dims: 8,
    rows: WORDS.length,
    tf: 0.5,
    maxHan: 4,
    maxPiece: 8,
    maxWord: 20,
    unknown: 20,
    zhChars: true,
    name: "base",
  };
  return writeStaticFile(header, {
    vocab: new TextEncoder().encode(WORDS.join("\n")),
    scores: new Uint8Array(scores.buffer),
    t2s: new Uint8Array(),
    scales: new Uint8Array(4 * WORDS.length),
    matrix: new Uint8Array(4 * WORDS.length),
  });
}

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);

describe("distilling", () => {
  test("gives a file that says about words what the model said", async () => {
    const model = teacher();
    const file = await distill({ model, dimensions: 8, vocabularyOf: vocabulary() });
    expect(model.asked).toEqual([
      "leave",
      "vacation",
      "printer",
      "toner",
      "the",
      "of",
      "年假",
      "休假",
      "打印",
      "机",
      "▁",
      "x",
    ]);
    const own = staticEmbedding(file);
    expect(own).toMatchObject({ name: "static/teacher/model-8", dimensions: 8 });
    const of = (text: string) => own.embed(text);
    expect(dot(of("vacation"), of("leave"))).toBeGreaterThan(0.7);
    expect(dot(of("printer"), of("leave"))).toBeLessThan(0);
    expect(dot(of("年假"), of("the leave of"))).toBeGreaterThan(0.7);
    expect(dot(of("打印机"), of("toner"))).toBeGreaterThan(0.7);
    // A frequent word says little.
    expect(dot(of("leave the"), of("leave"))).toBeGreaterThan(0.95);
  });

  test("is the same each time, and tells how far it is", async () => {
    const told: unknown[] = [];
    const options = { model: teacher(), vocabularyOf: vocabulary(), onProgress: (p: unknown) => told.push(p) };
    expect(await distill(options)).toEqual(await distill({ ...options, model: teacher() }));
    expect(told.at(-1)).toEqual({ done: WORDS.length, total: WORDS.length });
  });

  test("refuses dimensions that the model or the file does not have, and stops at the signal", async () => {
    const options = { vocabularyOf: vocabulary() };
    for (const dimensions of [12, 24, 0, 8.5])
      await expect(distill({ ...options, model: teacher(), dimensions })).rejects.toMatchObject({
        argument: "dimensions",
      });
    await expect(distill({ ...options, model: teacher(4) })).rejects.toMatchObject({ argument: "dimensions" });
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(distill({ ...options, model: teacher(), signal })).rejects.toThrow("enough");
  });

  test("makes a model that is opened by its path, or by its name", async () => {
    const folder = await mkdtemp(join(tmpdir(), "huiliu-distill-"));
    const path = join(folder, "model.bin");
    await writeFile(path, await distill({ model: teacher(), dimensions: 8, vocabularyOf: vocabulary() }));
    const facts = { name: "static/teacher/model-8", dimensions: 8, contextFree: true };
    expect(await openStaticEmbedding(path)).toMatchObject(facts);
    const model = await embeddingModelFromName(`static/${path}`);
    expect(model).toMatchObject(facts);
    expect((await model.embed(["leave"]))[0]).toHaveLength(8);
    await writeFile(path, "something else");
    await expect(openStaticEmbedding(path)).rejects.toMatchObject({ code: "MODEL_FILE_INVALID" });
    await rm(folder, { recursive: true });
  });
});

describe("principal components", () => {
  test("are the directions of most variance, at right angles, those of most first", async () => {
    const deviations = [5, 3, 1, 0.1, 0, 0];
    const rows = Array.from({ length: 400 }, (_, n) =>
      Float32Array.from(deviations, (deviation, i) => 2 + deviation * Math.sin(n * (i + 1) * 1.7 + i)),
    );
    const components = await principalComponents(rows, 6, 3, async () => {});
    for (let k = 0; k < 3; k++) expect(Math.abs(components.directions[k * 6 + k]!)).toBeGreaterThan(0.98);
    const places = rows.map((row) => project(row, components));
    const variance = (k: number) => places.reduce((sum, place) => sum + place[k]! ** 2, 0) / rows.length;
    expect(variance(0)).toBeGreaterThan(variance(1));
    expect(variance(1)).toBeGreaterThan(variance(2));
  });
});
