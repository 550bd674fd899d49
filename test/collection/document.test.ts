import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { joinPassages } from "../../src/collection/document.ts";
import { passageSplitter } from "../../src/ingest/index.ts";
import { document } from "../../src/schema/index.ts";
import { type Opened, openNotes } from "./fixtures.ts";

const squeezed = (text: string) => text.replace(/\s+/gu, "");

describe("a document's text from its passages", () => {
  it("is what was cut, but for white space, whatever the text and the sizes", async () => {
    const piece = fc.oneof(
      fc.constantFrom("年假有十天。", "Leave is ten days. ", "😀 ok! ", "\n\n", "# 标题\n", "word ", "，", "\ud800"),
      fc.string({ unit: "grapheme", maxLength: 12 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 5, max: 40 }),
        async (pieces, chunkSize) => {
          const text = pieces.join("");
          const nodes = await passageSplitter({ chunkSize }).split(document({ text }));
          expect(squeezed(joinPassages(nodes))).toBe(squeezed(text));
        },
      ),
      { numRuns: 150 },
    );
  });

  it("keeps the texts of several documents of one file apart", () => {
    const row = (id: string, text: string) => ({
      ...document({ id, text }),
      type: "text" as const,
      relationships: { source: { id: `row-${id}` } },
      startCharIdx: 0,
      endCharIdx: text.length,
    });
    expect(joinPassages([row("1", "same"), row("2", "same")])).toBe("same\n\nsame");
  });

  it("joins nodes that do not know their place", () => {
    const nodes = ["a", "b"].map((text) => ({ ...document({ text }), type: "text" as const }));
    expect(joinPassages(nodes)).toBe("a\n\nb");
    expect(joinPassages([])).toBe("");
  });
});

describe("documents of a collection", () => {
  let notes: Opened;
  beforeAll(async () => {
    notes = await openNotes();
  });
  afterAll(() => notes.close());
  const files = async (options: object) => {
    const out: string[] = [];
    for await (const { file } of notes.collection.list(options)) out.push(file);
    return out;
  };

  it("are read by file and by id", async () => {
    const found = await notes.collection.get("婚假.md");
    expect(found).toMatchObject({ file: "婚假.md", passages: 1, text: "婚假为三天，须提前申请。" });
    expect((await notes.collection.get(found!.id))?.file).toBe("婚假.md");
    expect(found!.nodes[0]!.metadata["tenant"]).toBe("a");
    expect(await notes.collection.get("nothing.md")).toBeUndefined();
  });

  it("are listed by file, from a place on, below a folder", async () => {
    expect(await files({})).toEqual(["leave.md", "secret/pay.md", "婚假.md"]);
    expect(await files({ after: "leave.md" })).toEqual(["secret/pay.md", "婚假.md"]);
    expect(await files({ prefix: "secret/" })).toEqual(["secret/pay.md"]);
    expect(await files({ prefix: "secret/", after: "secret/pay.md" })).toEqual([]);
  });
});

describe("many documents", () => {
  it("are listed in order and once each over several pages", async () => {
    const documents = Array.from({ length: 1101 }, (_, i) =>
      document({ id: `f${i}`, text: `text ${i}`, metadata: {} }),
    );
    const { collection, close } = await openNotes(documents, "many");
    const listed: string[] = [];
    for await (const { file } of collection.list()) listed.push(file);
    expect(listed).toEqual(documents.map(({ id }) => id).sort());
    await close();
  });
});
