import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { LanguageModel } from "../../src/schema/index.ts";
import { exampleReport } from "./report.ts";
import { browserPath, type ServedPlayground, servePlayground } from "./served.ts";

describe.skipIf(browserPath === undefined)("the playground", () => {
  let served: ServedPlayground;
  beforeAll(async () => {
    served = await servePlayground();
  });
  afterAll(() => served?.close());
  afterEach(() => expect(served.complaints()).toEqual([]));

  it("is where a browser that opens the server arrives", async () => {
    const page = await served.page();
    await page.goto(served.url);
    expect(new URL(page.url()).pathname).toBe("/_ui/");
    await page.getByRole("heading", { level: 1, name: "Ask your documents" }).waitFor();
    expect(await page.getByText("3 documents, 3 passages").count()).toBe(1);
  });

  it("answers a question with numbers that open the passage, marked, in its document", async () => {
    const page = await served.page();
    await page.goto(`${served.url}/_ui/`);
    await page.getByLabel("Your question").fill("How many days is annual leave?");
    await page.keyboard.press("Enter");
    const answer = page.getByRole("region", { name: "Ask your documents" });
    await answer.getByText("Extract", { exact: true }).waitFor();
    expect(await answer.textContent()).toContain("Annual leave is ten days a year.");
    await answer
      .getByRole("button", { name: /Open source \d/ })
      .first()
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("mark").waitFor();
    expect(await dialog.locator("mark").textContent()).toContain("Annual leave is ten days");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    // The question is in the address: it is asked again there.
    await page.reload();
    await answer.getByText("Extract", { exact: true }).waitFor();
  });

  it("writes an answer as it comes from a model, and stops it when asked to", async () => {
    let slow = true;
    let stopped = false;
    const model: LanguageModel = {
      name: "test/model",
      generate: async () => "",
      async *stream({ signal }) {
        yield "It is **ten** days [1]";
        if (slow)
          await new Promise((_, reject) => {
            signal?.addEventListener("abort", () => {
              stopped = true;
              reject(signal.reason);
            });
          });
        yield ", say the rules [7].\n\n- first\n- second";
      },
    };
    const other = await servePlayground(undefined, { model });
    try {
      const page = await other.page();
      await page.goto(`${other.url}/_ui/#/ask?q=leave`);
      await page.locator(".prose strong", { hasText: "ten" }).waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByText("Stopped.").waitFor();
      await expect.poll(() => stopped, { timeout: 20_000 }).toBe(true);
      slow = false;
      await page.getByRole("button", { name: "Ask", exact: true }).click();
      await page.getByText("names sources that were not given to it").waitFor();
      expect(await page.locator(".prose li").count()).toBe(2);
      expect(await page.locator(".prose .cite").count()).toBe(1);
    } finally {
      await other.close();
    }
  });

  it("searches by a strategy with its options, marks what matched, and explains ranks", async () => {
    const page = await served.page();
    await page.goto(`${served.url}/_ui/#/search`);
    await page.getByLabel("What to search for").fill("annual leave");
    await page.keyboard.press("Enter");
    await page.locator(".hit").first().waitFor();
    expect((await page.locator(".hit mark").first().textContent())?.toLowerCase()).toContain("annual");
    await page.getByLabel("Strategy").selectOption("bm25");
    await page.getByText("Options of bm25").click();
    await page.getByLabel("operator").selectOption("and");
    await page.getByRole("status").getByText("2 passages").waitFor();
    await page.getByRole("button", { name: "Why this rank?" }).first().click();
    const why = page.getByRole("region", { name: "Why it ranks here" });
    await why.getByRole("cell", { name: "leave" }).first().waitFor();
    await why.getByText("The whole calculation").click();
    await why
      .getByText(/^[\d.]+ weight\(/)
      .first()
      .waitFor();
    // What stands in the address is what a reload shows.
    await page.reload();
    await expect.poll(() => page.getByLabel("Strategy").inputValue()).toBe("bm25");
  });

  it("counts metadata, and its bars set filters", async () => {
    const page = await served.page();
    await page.goto(`${served.url}/_ui/#/search?q=leave`);
    await page.getByRole("button", { name: "Only level: board" }).click();
    await page.getByRole("status").getByText("1 passage in").waitFor();
    expect(await page.locator(".hit").textContent()).toContain("Pay of the board");
    await page.getByRole("button", { name: "Remove the filter level: board" }).click();
    await page.getByRole("status").getByText("3 passages in").waitFor();
  });

  it("compares strategies side by side, each with its movement against the first", async () => {
    const page = await served.page();
    await page.goto(`${served.url}/_ui/#/compare?q=annual%20leave&ss=bm25,dense`);
    await page.locator(".board-column").nth(1).locator(".board-row").first().waitFor();
    await page.locator(".board-column").first().locator(".board-row").first().waitFor();
    expect(await page.locator(".lines path").count()).toBeGreaterThan(0);
    const row = page.locator(".board-column").nth(1).locator(".board-row").first();
    expect(await row.textContent()).toMatch(/first strategy/);
    await row.hover();
    expect(await page.locator(".board-row.looked").count()).toBeGreaterThan(1);
    await page.getByRole("button", { name: "phrase", exact: true }).click();
    await page.getByRole("heading", { name: "phrase" }).waitFor();
    expect(page.url()).toContain("phrase");
    await row.getByRole("button").click();
    await page.getByRole("dialog").locator("mark").waitFor();
  });

  it("shows what lies near a question or a passage", async () => {
    const page = await served.page();
    await page.goto(`${served.url}/_ui/#/search?q=board`);
    await page.getByRole("link", { name: "What lies near it?" }).first().click();
    await page.getByText("Around the passage:").waitFor();
    expect(await page.locator(".near").count()).toBe(2);
    await page.getByLabel("Your question").fill("婚假");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".near").count()).toBe(3);
    expect(await page.locator(".near").first().textContent()).toContain("婚假");
    await page.locator(".map-point").first().hover();
    expect(await page.locator(".near.looked").count()).toBe(1);
  });

  it("cuts any text by several analyzers", async () => {
    const page = await served.page();
    await page.goto(`${served.url}/_ui/#/analyzers?a=standard,ik_smart`);
    await page.getByLabel("Text", { exact: true }).fill("中华人民共和国 leave");
    const tokens = (name: string) => page.getByRole("region", { name }).locator(".token-text").allTextContents();
    await expect.poll(() => tokens("ik_smart")).toEqual(["中华人民共和国", "leave"]);
    await expect.poll(() => tokens("standard")).toEqual([..."中华人民共和国", "leave"]);
    await page.getByRole("region", { name: "ik_smart" }).locator(".token").first().hover();
    expect(await page.locator(".analyzed-text mark").textContent()).toBe("中华人民共和国");
    await page.getByLabel("another analyzer").fill("turkish");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "turkish" }).locator(".token").first().waitFor();
  });

  it("sends any request to Elasticsearch's routes", async () => {
    const page = await served.page();
    await page.goto(`${served.url}/_ui/#/console`);
    await page.getByLabel("Path").fill("handbook/_count");
    await page.getByLabel("Body").fill('{"query": {"match": {"content": "婚假"}}}');
    await page.keyboard.press("Control+Enter");
    await page.locator(".console-answer code", { hasText: '"count": 1' }).waitFor();
    await page.getByLabel("Path").fill("/none/_search");
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator(".console-answer", { hasText: "404" }).getByText("index_not_found_exception").first().waitFor();
  });

  it("lists the server's evaluation reports and shows them", async () => {
    const reports = mkdtempSync(join(tmpdir(), "huiliu-reports-"));
    writeFileSync(join(reports, "first.json"), JSON.stringify(exampleReport()));
    writeFileSync(join(reports, "other.json"), "{}");
    const other = await servePlayground(undefined, { reports });
    try {
      const page = await other.page();
      await page.goto(`${other.url}/_ui/#/reports`);
      await page.getByRole("link", { name: /first\.json/ }).click();
      await page.getByRole("table").first().getByText("0.620").waitFor();
      expect(await page.locator(".plot-bar").count()).toBe(2);
      const judged = page.locator("section", { has: page.getByRole("heading", { name: /^Answers to/ }) });
      expect(await judged.locator("summary").allInnerTexts()).toEqual([
        expect.stringMatching(/bm25 0\.00$/),
        expect.stringMatching(/^good/),
      ]);
      // The better the darker, and the chosen values say so.
      const map = page.locator(".heat");
      expect(await map.locator("td").allTextContents()).toEqual(["0.450", "0.500", "0.500", "0.600 (chosen)"]);
      expect(await map.locator("td").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("style")))).toEqual(
        ["0", "15", "15", "45"].map((share) => expect.stringContaining(`${share}%`)),
      );
      await page.getByRole("link", { name: /other\.json/ }).click();
      await page.getByRole("alert").getByText("no report of huiliu eval").waitFor();
    } finally {
      await other.close();
      rmSync(reports, { recursive: true });
    }
  });

  it("indexes files that are dropped or chosen, shows how far it is, and removes documents", async () => {
    const page = await served.page();
    await page.goto(`${served.url}/_ui/#/documents`);
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles([
        { name: "travel.md", mimeType: "text/markdown", buffer: Buffer.from("# Travel\n\nTrains come before planes.") },
        { name: "broken.pdf", mimeType: "application/pdf", buffer: Buffer.from("no PDF") },
      ]);
    await page.getByText("done · 1 added").waitFor();
    await page.locator(".upload.failed").waitFor();
    expect(await page.locator(".upload-error").textContent()).not.toBe("");
    // A drop carries files as a mouse does.
    const transfer = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File(["报销须在三十天内。"], "报销.txt")); return data; })()`,
    );
    await page.dispatchEvent(".drop-zone", "drop", { dataTransfer: transfer });
    await page.getByRole("button", { name: "Remove: 报销.txt" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("Removed 报销.txt").waitFor();
    await page
      .getByRole("button", { name: /Travel/ })
      .first()
      .click();
    await page.getByRole("dialog").getByText("Trains come before planes.").waitFor();
    expect((await served.collection.get("报销.txt"))?.file).toBeUndefined();
    expect((await served.collection.get("travel.md"))?.file).toBe("travel.md");
  });

  it("says what is wrong and what to do about it", async () => {
    const page = await served.page();
    await page.goto(`${served.url}/_ui/#/search?q=leave&s=hyde`);
    const alert = page.getByRole("alert");
    await alert.getByText("huiliu serve --model").waitFor();
    await page.route("**/_huiliu/**", (route) => route.abort());
    await page.reload();
    await alert.getByText("Is `huiliu serve` still running?").waitFor();
    await page.unroute("**/_huiliu/**");
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();
  });

  it("asks for a key when the server wants one, and keeps it in the tab", async () => {
    const other = await servePlayground(undefined, {
      before: (app) => {
        app.use("/_huiliu/*", async (context, next) =>
          context.req.header("authorization") === "ApiKey right"
            ? next()
            : Response.json({ error: { code: "UNAUTHORIZED", message: "no key" } }, { status: 401 }),
        );
      },
    });
    try {
      const page = await other.page();
      await page.goto(`${other.url}/_ui/`);
      await page.getByLabel("API key").fill("wrong");
      await page.getByRole("button", { name: "Use it" }).click();
      await page.getByText("did not take that key").waitFor();
      await page.getByLabel("API key").fill("right");
      await page.getByRole("button", { name: "Use it" }).click();
      await page.getByText("3 documents").waitFor();
      expect(await page.evaluate("sessionStorage.getItem('huiliu.key') + localStorage.getItem('huiliu.key')")).toBe(
        "rightnull",
      );
      await page.reload();
      await page.getByText("3 documents").waitFor();
      await page.getByRole("button", { name: "Forget the key" }).click();
      await page.getByLabel("API key").waitFor();
    } finally {
      await other.close();
    }
  });

  it("leads on from a server without documents", async () => {
    const other = await servePlayground([]);
    try {
      const page = await other.page();
      await page.goto(`${other.url}/_ui/#/search`);
      await page.getByRole("heading", { name: "No documents yet" }).waitFor();
      await page.getByRole("link", { name: "Add documents" }).click();
      await page.getByText("Drop files here").waitFor();
      await page.getByRole("button", { name: "New collection" }).click();
      await page.getByLabel("Name").fill("second");
      await page.getByRole("button", { name: "Make it" }).click();
      await expect.poll(() => page.getByLabel("Collection").inputValue()).toBe("second");
    } finally {
      await other.close();
    }
  });

  it("tells of strategies in the interface's language", async () => {
    const page = await served.page({ locale: "zh-CN" });
    await page.goto(`${served.url}/_ui/#/search`);
    await page.getByText("按词和按语义，权重由集合实测而来。").waitFor();
    await page.getByRole("button", { name: /English/ }).click();
    await page.getByText("Words and meaning, weighted as the collection was measured.").waitFor();
  });

  it("speaks the browser's language, and remembers another that is chosen", async () => {
    const page = await served.page({ locale: "zh-CN" });
    await page.goto(`${served.url}/_ui/`);
    await page.getByRole("heading", { name: "向您的文档提问" }).waitFor();
    expect(await page.evaluate("document.documentElement.lang")).toBe("zh-CN");
    await page.getByRole("button", { name: /English/ }).click();
    await page.getByRole("heading", { name: "Ask your documents" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Ask your documents" }).waitFor();
  });
});
