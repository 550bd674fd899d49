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

describe("the same name again in one run", () => {
  const long = Array.from({ length: 300 }, (_, i) => `Sentence number ${i} is here.`).join(" ");
  it.each([
    ["next to it", 0],
    ["after others", 3],
    ["far from it", 150],
  ])("replaces what came before it: %s", async (_, between) => {
    const others = Array.from({ length: between }, (_, i) => document({ id: `other ${i}`, text: `other ${i}` }));
    const documents = [document({ id: "a", text: long }), ...others, document({ id: "a", text: "short" })];
    const { collection, close } = await openNotes(documents, "again");
    expect(await collection.get("a")).toMatchObject({ text: "short", passages: 1 });
    expect(await collection.status()).toMatchObject({ documents: between + 1, passages: between + 1 });
    await close();
  });
});

describe("files whose bytes are in memory", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  it("are read by their kind, skipped when unchanged, replaced when changed", async () => {
    const { collection, close } = await openNotes([], "contents");
    const page = { file: "a/leave.html", bytes: bytes("<h1>Leave</h1><p>Ten days.</p><script>x</script>") };
    const rows = { file: "rows.csv", bytes: bytes("name,days\nannual,10\nsick,5\n") };
    const options = { metadata: { tenant: "a" } };
    expect(await collection.addContents([page, rows], options)).toMatchObject({ added: 2, failed: [] });
    expect(await collection.addContents([page, rows], options)).toMatchObject({ added: 0, unchanged: 2 });
    const read = await collection.get("a/leave.html");
    expect(read!.text).toContain("Ten days.");
    expect(read!.text).not.toContain("script");
    expect(read!.nodes[0]!.metadata).toMatchObject({
      file: "a/leave.html",
      extension: "html",
      folder: "a",
      tenant: "a",
    });
    const changed = await collection.addContents([{ ...page, bytes: bytes("<p>Twelve days.</p>") }], options);
    expect(changed).toMatchObject({ replaced: 1 });
    expect((await collection.get("a/leave.html"))!.text).toBe("Twelve days.");
    await close();
  });

  it("are named when they cannot be read, and the others are added", async () => {
    const { collection, close } = await openNotes([], "contents");
    const result = await collection.addContents([
      { file: "bad.pdf", bytes: bytes("no pdf") },
      { file: "strange.xyz", bytes: Uint8Array.of(0, 1, 2, 255) },
      { file: "good.txt", bytes: bytes("good") },
    ]);
    expect(result.failed.map(({ file }) => file).sort()).toEqual(["bad.pdf", "strange.xyz"]);
    expect(result.added).toBe(1);
    await close();
  });

  it.each(["", "/etc/passwd", "../up.md", "a/../../b.md", "a//b.md", "a\0.md", "a\\b.md", "./a.md", "x".repeat(2000)])(
    "may not be named %j",
    async (file) => {
      const { collection, close } = await openNotes([], "contents");
      await expect(collection.addContents([{ file, bytes: bytes("x") }])).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
      });
      await close();
    },
  );
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
