import { describe, expect, it } from "vitest";
import { headings, read } from "../support/read.ts";

describe("HTML", () => {
  it("becomes lines, without what is not its text", async () => {
    const doc = await read(
      "a.html",
      `<!doctype html><html><head><title>Leave &amp; more</title><style>p{}</style></head><body>
      <nav>Menu</nav><script>no()</script>
      <main><h1>休假 <b>制度</b></h1><p>Five
      days   of <i>leave</i>.</p><p>Second<br>line</p><h2>List</h2><ul><li>one</li><li>two</li></ul>
      <table><tr><th>A</th><th>B</th></tr><tr><td><p>1</p><p>2</p></td><td>3</td></tr></table>
      <pre>code
  indented
</pre><p hidden>hidden</p><svg><text>no</text></svg><img alt="a chart"></main><footer>Foot</footer></body></html>`,
    );
    expect(doc.text).toBe(
      "# 休假 制度\n\nFive days of leave.\n\nSecond\nline\n\n## List\n\n- one\n- two\n\n| A | B |\n| 1 2 | 3 |\n\ncode\n  indented\n\na chart",
    );
    expect(headings(doc)).toEqual([
      ["休假 制度", "# 休假 制度"],
      ["休假 制度 / List", "## List"],
    ]);
    expect(doc.metadata["title"]).toBe("Leave & more");
  });

  it("is read as a whole when it has no main part, or nothing else", async () => {
    expect((await read("a.html", "<nav>menu</nav><p>text</p><aside>side</aside>")).text).toBe("text");
    expect((await read("a.html", "<nav>only a menu</nav>")).text).toBe("only a menu");
    expect((await read("a.html", "<p>before</p><article>the one</article>")).text).toBe("the one");
    expect((await read("a.html", "<article>first</article><article>second</article>")).text).toBe("first\n\nsecond");
  });

  it("takes its first heading as title when it has none", async () => {
    expect((await read("a.htm", "<h2>Heading</h2>text")).metadata["title"]).toBe("Heading");
    expect((await read("a.htm", "<svg><title>icon</title></svg>text")).metadata["title"]).toBeUndefined();
  });

  it("writes no mark for a heading or an item without text", async () => {
    expect((await read("a.html", "<h1></h1><p>text</p><h2> </h2><p>more</p>")).text).toBe("text\n\nmore");
  });

  it("is read in the encoding that it declares", async () => {
    const bytes = [...Buffer.from('<meta charset="gbk"><p>'), 0xc4, 0xea, ...Buffer.from("</p>")];
    expect((await read("a.html", Uint8Array.from(bytes))).text).toBe("年");
    const wrong = '<meta charset="ascii-nonsense"><p>年</p>';
    expect((await read("a.html", wrong)).text).toBe("年");
  });

  it.each([
    ["nested without end", "<div>".repeat(200_000)],
    ["a tag with endless attributes", `<a ${Array.from({ length: 200_000 }, (_, i) => `b${i}`).join(" ")}>x`],
  ])("is refused when it would keep the parser busy: %s", async (_, text) => {
    await expect(read("a.html", text)).rejects.toMatchObject({ code: "FILE_DAMAGED" });
  });

  it.each(["<p>x", "<b id=1>", "<table>", "<!--", "<", "<a href='", "&amp;", "<h1>x</h1>", "<li>x</li>", "<script>"])(
    "comes to an end with thousands of %s",
    async (piece) => {
      await read("a.html", `text ${piece.repeat(4000)} end`).catch((error) => expect(error.code).toBe("FILE_DAMAGED"));
    },
  );
});
