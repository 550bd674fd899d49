import { describe, expect, it } from "vitest";
import { sentenceSplitter } from "../../src/ingest/index.ts";
import {
  document,
  InvalidArgumentError,
  imageNode,
  indexNode,
  nodeFromJson,
  nodeHash,
  nodeToJson,
  relatedNode,
  scoredNodeFromJson,
  scoredNodeToJson,
  type TextNode,
  textNode,
} from "../../src/schema/index.ts";

// As llama-index-core 0.14.25 prints them (`to_dict`).
const HEAD = '"excluded_embed_metadata_keys": [], "excluded_llm_metadata_keys": []';
const TEMPLATES = '"metadata_template": "{key}: {value}", "metadata_separator": "\\n"';
const PYTHON = {
  document: `{"id_": "d", "embedding": null, "metadata": {"a": 1}, "excluded_embed_metadata_keys": [], "excluded_llm_metadata_keys": ["a"], "relationships": {}, ${TEMPLATES}, "text_resource": {"embeddings": null, "text": "Hello", "path": null, "url": null, "mimetype": null}, "image_resource": null, "audio_resource": null, "video_resource": null, "text_template": "{metadata_str}\\n\\n{content}", "class_name": "Document", "text": "Hello"}`,
  text: `{"id_": "t", "embedding": null, "metadata": {"b": [1, "c"]}, ${HEAD}, "relationships": {"1": {"node_id": "d", "node_type": "4", "metadata": {"a": 1}, "hash": "74ee56609ad643896263a60e5d2696a0417565b4ae044aca62a5834e29d21f69", "class_name": "RelatedNodeInfo"}, "5": [{"node_id": "k", "node_type": null, "metadata": {}, "hash": null, "class_name": "RelatedNodeInfo"}]}, ${TEMPLATES}, "text": "x", "mimetype": "text/plain", "start_char_idx": 0, "end_char_idx": 1, "text_template": "{metadata_str}\\n\\n{content}", "class_name": "TextNode"}`,
  index: `{"id_": "i", "embedding": null, "metadata": {}, ${HEAD}, "relationships": {}, ${TEMPLATES}, "text": "s", "mimetype": "text/plain", "start_char_idx": null, "end_char_idx": null, "text_template": "{metadata_str}\\n\\n{content}", "index_id": "ix", "obj": null, "class_name": "IndexNode"}`,
  image: `{"id_": "m", "embedding": null, "metadata": {}, ${HEAD}, "relationships": {}, ${TEMPLATES}, "text": "cap", "mimetype": "text/plain", "start_char_idx": null, "end_char_idx": null, "text_template": "{metadata_str}\\n\\n{content}", "image": "aGk=", "image_path": "a.png", "image_url": null, "image_mimetype": "image/png", "text_embedding": null, "class_name": "ImageNode"}`,
};

const doc = document({ id: "d", text: "Hello", metadata: { a: 1 }, excludedLlmMetadataKeys: ["a"] });
const OURS = {
  document: doc,
  text: textNode({
    id: "t",
    text: "x",
    metadata: { b: [1, "c"] },
    relationships: { source: relatedNode(doc), children: [{ id: "k" }] },
    startCharIdx: 0,
    endCharIdx: 1,
  }),
  index: indexNode({ id: "i", text: "s", indexId: "ix" }),
  image: imageNode({ id: "m", text: "cap", image: "aGk=", imagePath: "a.png", imageMimeType: "image/png" }),
};

describe("nodes as LlamaIndex's JSON", () => {
  it.each(Object.keys(OURS) as (keyof typeof OURS)[])("writes and reads a node of type %s as Python does", (type) => {
    expect(nodeToJson(OURS[type])).toEqual(JSON.parse(PYTHON[type]));
    expect(Object.keys(nodeToJson(OURS[type]))).toEqual(Object.keys(JSON.parse(PYTHON[type])));
    expect(nodeFromJson(JSON.parse(PYTHON[type]))).toEqual(
      type === "text"
        ? { ...OURS.text, relationships: { ...OURS.text.relationships, children: [{ id: "k", metadata: {} }] } }
        : OURS[type],
    );
  });

  it("keeps the node that an index node stands for, and the score of a result", () => {
    const pointing = indexNode({ id: "i", text: "s", indexId: "ix", obj: OURS.image });
    expect(nodeToJson(pointing)["obj"]).toMatchObject({ __type__: "2", __data__: { id_: "m" } });
    expect(nodeFromJson(JSON.parse(JSON.stringify(nodeToJson(pointing))))).toEqual(pointing);
    const scored = { node: OURS.index, score: 0.5 };
    expect(scoredNodeFromJson(scoredNodeToJson(scored))).toEqual(scored);
    expect(scoredNodeFromJson(scoredNodeToJson({ node: OURS.index }))).toEqual({ node: OURS.index });
  });

  it("reads what older versions wrote, and refuses what is no node", () => {
    expect(
      nodeFromJson({ id_: "x", text: "y", metadata_tmpl: "{key}={value}", metadata_seperator: "; " }),
    ).toMatchObject({
      type: "text",
      metadataTemplate: "{key}={value}",
      metadataSeparator: "; ",
    });
    expect(() => nodeFromJson("x")).toThrow(InvalidArgumentError);
    expect(() => scoredNodeFromJson({ node: nodeToJson(doc) })).toThrow(InvalidArgumentError);
  });
});

describe("hashes", () => {
  it("are LlamaIndex's, of documents as of nodes", () => {
    expect(nodeHash(doc)).toBe("74ee56609ad643896263a60e5d2696a0417565b4ae044aca62a5834e29d21f69");
  });
});

describe("places in a text", () => {
  it("are written as Python counts them, and read back as they were", async () => {
    const source = document({ id: "d", text: "😀😀 first part. 😀 second part. third" });
    const nodes = await sentenceSplitter({ chunkSize: 8, chunkOverlap: 0 }).split(source);
    expect(nodes.length).toBeGreaterThan(1);
    const characters = [...source.text];
    for (const node of nodes) {
      const json = JSON.parse(JSON.stringify(nodeToJson(node))) as { start_char_idx: number; end_char_idx: number };
      expect(characters.slice(json.start_char_idx, json.end_char_idx).join("")).toBe(node.text);
      const read = nodeFromJson(json) as TextNode;
      expect(read).toEqual(node);
      expect(source.text.slice(read.startCharIdx, read.endCharIdx)).toBe(node.text);
    }
    const plain = nodeToJson(textNode({ id: "p", text: "plain", startCharIdx: 3, endCharIdx: 8 }));
    expect(plain).toMatchObject({ start_char_idx: 3, end_char_idx: 8 });
    expect(plain).not.toHaveProperty("huiliu_char_idx");
  });
});

it("an index node that stands for a retriever is not written without it", () => {
  const node = indexNode({ id: "i", text: "t", indexId: "x", obj: { retrieve: async () => [] } });
  expect(() => nodeToJson(node)).toThrow(/index node i stands for something that cannot be written.*"x"/s);
});
