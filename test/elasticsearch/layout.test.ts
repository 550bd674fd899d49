import { describe, expect, it } from "vitest";
import { nodeToSource, sourceToNode } from "../../src/elasticsearch/layout.ts";
import { imageNode, indexNode, type Node, textNode } from "../../src/schema/index.ts";

const related = { id: "d1", type: "document" as const, metadata: { file: "a.md" }, hash: "h" };

describe("ElasticsearchStore's layout", () => {
  const nodes: Node[] = [
    textNode({ id: "n1", text: "年休假共五天。", metadata: { level: "员工", days: 5, tags: ["a", "b"], note: null } }),
    textNode({
      id: "n2",
      text: "emoji 👍 \u0000 and \ud800 lone",
      startCharIdx: 3,
      endCharIdx: 9,
      relationships: { source: related, previous: { id: "n1", type: "text" }, children: [{ id: "c", type: "text" }] },
      excludedEmbedMetadataKeys: ["file"],
      metadataTemplate: "{key} = {value}",
    }),
    indexNode({ id: "n3", text: "summary", indexId: "table-1" }),
    imageNode({ id: "n4", text: "caption", imagePath: "a.png", imageMimeType: "image/png" }),
  ];

  it("gives back every kind of node", () => {
    for (const node of nodes) {
      const back = sourceToNode(node.id, nodeToSource(node));
      const { relationships, ...rest } = node;
      expect(back).toMatchObject(rest);
      expect(back.relationships.source).toEqual(relationships.source);
    }
  });

  it("writes the keys that Python LlamaIndex writes", () => {
    const source = nodeToSource(nodes[1]!);
    expect(source.metadata).toMatchObject({
      _node_type: "TextNode",
      document_id: "d1",
      doc_id: "d1",
      ref_doc_id: "d1",
    });
    expect(nodeToSource(nodes[0]!).metadata["ref_doc_id"]).toBe("None");
    const stored = JSON.parse(source.metadata["_node_content"] as string);
    expect(Object.keys(stored)).toEqual([
      "id_",
      "embedding",
      "metadata",
      "excluded_embed_metadata_keys",
      "excluded_llm_metadata_keys",
      "relationships",
      "metadata_template",
      "metadata_separator",
      "text",
      "mimetype",
      "start_char_idx",
      "end_char_idx",
      "text_template",
      "class_name",
    ]);
    expect(stored.text).toBe("");
    expect(stored.relationships["1"]).toEqual({
      node_id: "d1",
      node_type: "4",
      metadata: { file: "a.md" },
      hash: "h",
      class_name: "RelatedNodeInfo",
    });
  });

  it("makes a plain node of what other software wrote, and of nonsense", () => {
    const plain = sourceToNode("x", { content: "t", metadata: { a: 1, _node_content: "{not json", doc_id: "d" } });
    expect(plain).toMatchObject({ id: "x", type: "text", text: "t", metadata: { a: 1 } });
    for (const source of [undefined, null, 3, "s", [], { content: 5, metadata: [] }]) {
      expect(sourceToNode("x", source)).toMatchObject({ id: "x", text: "", metadata: {} });
    }
  });
});
