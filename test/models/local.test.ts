import { describe, expect, test } from "vitest";
import { embeddingModelFromName, rerankModelFromName } from "../../src/models/from-name.ts";
import { familyOf } from "../../src/models/local/embedding.ts";
import { lengthBatches, longestFitting } from "../../src/models/local/library.ts";

describe("models on this machine", () => {
  test("name the package that they need, when they are used", async () => {
    const needed = {
      code: "PACKAGE_MISSING",
      message: expect.stringMatching(/npm install @huggingface\/transformers@4/) as string,
    };
    const reranker = await rerankModelFromName("transformers/bge-reranker-base");
    expect(reranker.name).toBe("transformers/bge-reranker-base");
    expect(await reranker.rerank("q", [])).toEqual([]);
    await expect(reranker.rerank("q", ["t"])).rejects.toMatchObject(needed);
    const embedding = await embeddingModelFromName("transformers/multilingual-e5-small");
    await expect(embedding.embed(["t"])).rejects.toMatchObject(needed);
  });

  test("of known families get the prefixes and the pooling that they were trained with", () => {
    const of = (id: string) => {
      const { prefixes, pooling } = familyOf(id);
      return [prefixes.query.slice(0, 9), prefixes.document, pooling];
    };
    expect(of("Xenova/multilingual-e5-small")).toEqual(["query: ", "passage: ", "mean"]);
    expect(of("intfloat/multilingual-e5-large-instruct")).toEqual(["Instruct:", "", "mean"]);
    expect(of("Xenova/bge-small-zh-v1.5")).toEqual(["为这个句子生成表示", "", "cls"]);
    expect(of("BAAI/bge-base-en-v1.5")).toEqual(["Represent", "", "cls"]);
    expect(of("Xenova/bge-m3")).toEqual(["", "", "cls"]);
    expect(of("Xenova/gte-small")).toEqual(["", "", "mean"]);
    expect(of("onnx-community/gte-multilingual-base")).toEqual(["", "", "cls"]);
    expect(of("somebody/else")).toEqual(["", "", "mean"]);
  });

  test("are given texts of like length together, each once", () => {
    const batches = lengthBatches([5, 1, 9, 1, 7], 2);
    expect(batches).toEqual([[1, 3], [0, 4], [2]]);
    expect(lengthBatches([], 4)).toEqual([]);
  });

  test("read the longest beginning that fits, and no half character", () => {
    expect(longestFitting("abcdef", (part) => part.length <= 4)).toBe("abcd");
    expect(longestFitting("ab😀", (part) => part.length <= 3)).toBe("ab");
    expect(longestFitting("ab", () => false)).toBe("");
    expect(longestFitting("ab😀", () => true)).toBe("ab😀");
  });
});
