/** Documents, names, metadata and errors that try to become more than text. */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { exampleReport } from "./report.ts";
import { browserPath, type Given, type ServedPlayground, servePlayground } from "./served.ts";

const SCRIPTS = [
  `<script>window.hit = "script"</script>`,
  `<img src=x onerror="window.hit='img'">`,
  `<svg onload="window.hit='svg'"><animate onbegin="window.hit='animate'"></svg>`,
  `<a href="javascript:window.hit='link'">click</a> [click](javascript:window.hit='md')`,
  `<iframe srcdoc="<script>parent.hit='frame'</script>"></iframe>`,
  `"><style>body{display:none}</style><math><mi//xlink:href="data:x,<script>window.hit=1</script>">`,
  `{{constructor.constructor("window.hit='template'")()}} \${window.hit='literal'}`,
  `<em>not a mark</em> <mark>not one either</mark>`,
];
const ALL = SCRIPTS.join("\n");
/** Reverses what follows, in a line and beyond it. */
const TURNED = "\u202egpj.exe\u2066 leave";

const DOCUMENTS: Given[] = [
  {
    id: `evil/<img src=x onerror=window.hit='name'>.md`,
    text: `Annual leave <em>not a mark</em>.\n\n${ALL}`,
    metadata: {
      title: SCRIPTS[1]!,
      heading: SCRIPTS[0]!,
      [`<b onmouseover=window.hit=1>`]: ALL.slice(0, 400),
      level: `<script>window.hit='facet'</script>`,
      group: "a",
      __proto: "constructor",
    },
  },
  {
    id: `turned/${TURNED}.md`,
    text: `Annual leave ${TURNED} of the year.\u0000\u001b[31m`,
    metadata: { title: TURNED, level: TURNED, group: "b" },
  },
  { id: "plain.md", text: "Annual leave is ten days.", metadata: { title: "Plain", level: "staff", group: "b" } },
];

describe.skipIf(browserPath === undefined)("what documents say", () => {
  let served: ServedPlayground;
  let page: Page;
  beforeAll(async () => {
    served = await servePlayground(DOCUMENTS, {
      model: {
        name: "hostile",
        generate: async () => ALL,
        async *stream() {
          for (const piece of `${ALL}\n\n- **${SCRIPTS[1]}** [1] \`${SCRIPTS[0]}\``.match(/[\s\S]{1,7}/g)!) yield piece;
        },
      },
    });
    page = await served.page();
  });
  afterAll(() => served?.close());
  afterEach(async () => {
    // Nothing ran, nothing was even tried: the policy would have complained.
    expect(await page.evaluate("window.hit")).toBeUndefined();
    expect(
      await page.evaluate(
        `document.querySelectorAll("#app script, #app img, #app iframe, #app style, #app math, #app [onerror], #app [onload], #app a[href^=javascript]").length`,
      ),
    ).toBe(0);
    expect(await page.evaluate("getComputedStyle(document.body).display")).not.toBe("none");
    expect(served.complaints()).toEqual([]);
  });

  const go = async (hash: string, ready: string) => {
    await page.goto(`${served.url}/_ui/${hash}`);
    await page.locator(ready).first().waitFor();
  };

  it("is text in answers and sources", async () => {
    await go("#/ask?q=annual%20leave", ".prose li .cite");
    expect(await page.locator(".prose").textContent()).toContain(SCRIPTS[2]);
    expect(await page.locator(".prose li strong").textContent()).toBe(SCRIPTS[1]);
    expect(await page.locator(".sources").textContent()).toContain(SCRIPTS[0]);
    await page.locator(".source button").first().click();
    await page.locator("dialog .document-text").waitFor();
    await page.keyboard.press("Escape");
  });

  it("is text in hits, highlights, metadata and facets, and marks are the engine's alone", async () => {
    await go("#/search?q=annual%20leave", ".facet");
    expect(await page.locator(".hits").textContent()).toContain("<em>not a mark</em>");
    for (const mark of await page.locator(".hit mark").allTextContents()) expect(mark).toMatch(/^(annual|leave)$/i);
    expect(await page.locator(".facets").textContent()).toContain("<script>window.hit='facet'</script>");
    await page.getByRole("button", { name: "Why this rank?" }).first().click();
    await page.locator(".explanation .terms").first().waitFor();
    await page.locator(".bar", { hasText: "facet" }).click();
    await page.getByRole("button", { name: /Remove the filter level: <script>/ }).waitFor();
  });

  it("does not turn the text around it", async () => {
    await go("#/documents", ".record");
    const names = (await page.locator(".record").allTextContents()).join("\n");
    expect(names).toContain("gpj.exe");
    expect(names).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000\u001b]/);
  });

  it("is text in documents, their names, and the questions about removing them", async () => {
    await go("#/documents", ".record");
    await page.locator(".record-open", { hasText: "onerror" }).click();
    expect(await page.locator("dialog .document-text").textContent()).toContain(SCRIPTS[0]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /Remove: evil/ }).click();
    expect(await page.locator("dialog").textContent()).toContain("onerror");
    await page.keyboard.press("Escape");
  });

  it("is text in names of files that are dropped, and in what is wrong with them", async () => {
    await go("#/documents", ".drop-zone");
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles({ name: "<img src=x onerror=window.hit=1>.pdf", mimeType: "x", buffer: Buffer.from(ALL) });
    await page.locator(".upload.failed .upload-error").waitFor();
  });

  it("is text in comparisons, maps and tokens", async () => {
    await go("#/compare?q=annual%20leave&ss=bm25,dense", ".board-row");
    expect(await page.locator(".board").textContent()).toContain("onerror");
    await go("#/neighbours?q=annual%20leave", ".near");
    expect(await page.locator(".near-list").textContent()).toContain(SCRIPTS[0]);
    await go(
      `#/analyzers?t=${encodeURIComponent(ALL)}&a=whitespace,${encodeURIComponent(SCRIPTS[1]!.replaceAll(",", ""))}`,
      ".token",
    );
    await page.getByRole("alert").getByText("onerror").first().waitFor();
  });

  it("is text where a strategy or the server refuses it", async () => {
    const hostile = encodeURIComponent(JSON.stringify([{ field: SCRIPTS[1], is: SCRIPTS[0] }]));
    await go(`#/search?q=leave&f=${hostile}`, ".empty");
    await page.getByRole("button", { name: /Remove the filter <img/ }).waitFor();
    await page.route("**/search", (route) => route.fulfill({ status: 500, contentType: "text/html", body: ALL }));
    await page.reload();
    expect(await page.getByRole("alert").textContent()).toContain(SCRIPTS[0]);
    await page.unroute("**/search");
    await go(
      `#/search?q=leave&c=${encodeURIComponent(SCRIPTS[1]!)}&s=${encodeURIComponent(SCRIPTS[0]!)}`,
      "[role=alert], .hit",
    );
  });

  it("is text in reports and in answers of the console", async () => {
    await go("#/reports", ".reports");
    await page.locator("input[type=file]").setInputFiles({
      name: `${SCRIPTS[1]}.json`.replaceAll("/", ""),
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify(exampleReport(SCRIPTS))),
    });
    await page.locator(".experiment").first().waitFor();
    for (const question of await page.locator(".questions summary").all()) await question.click();
    // An experiment, judged answers and a tuning.
    const parts = await page.locator(".experiment").allTextContents();
    expect(parts).toEqual(parts.map(() => expect.stringContaining(SCRIPTS[0]!)));
    expect(parts).toHaveLength(3);
    await go("#/console", ".console");
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator(".console-answer code").waitFor();
    expect(await page.locator(".console-answer code").textContent()).toContain("onerror");
  });
});
