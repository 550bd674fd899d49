/** In each view, in both themes: axe finds nothing, nothing is wider than a phone, and the keyboard reaches everything. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleReport } from "./report.ts";
import { browserPath, type ServedPlayground, servePlayground } from "./served.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(
    `axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target, any }) => id + " " + target.join(" ") + " " + (any[0]?.message ?? ""))))`,
  );
}

/** A view with something in it, and what shows that it is there. */
const VIEWS: { name: string; hash: string; ready: string; more?: (page: Page) => Promise<void> }[] = [
  { name: "ask, at rest", hash: "#/ask", ready: ".suggestions .chip" },
  {
    name: "ask, with options",
    hash: "#/ask",
    ready: ".suggestions .chip",
    more: async (page) => {
      await page.getByRole("button", { name: "Options" }).click();
      await page.locator(".facet").first().waitFor();
    },
  },
  { name: "ask, answered", hash: "#/ask?q=annual%20leave", ready: ".cite" },
  {
    name: "a document",
    hash: "#/ask?q=annual%20leave",
    ready: ".cite",
    more: async (page) => {
      await page.locator(".cite").first().click();
      await page.locator("dialog mark").waitFor();
    },
  },
  {
    name: "search, explained",
    hash: "#/search?q=annual%20leave",
    ready: ".facet",
    more: async (page) => {
      await page.getByRole("button", { name: "Why this rank?" }).first().click();
      await page.locator(".terms").first().waitFor();
    },
  },
  { name: "search, failed", hash: "#/search?q=annual%20leave&s=hyde", ready: "[role=alert]" },
  { name: "documents", hash: "#/documents", ready: ".record" },
  { name: "compare", hash: "#/compare?q=annual%20leave&ss=bm25,hyde,dense", ready: ".board-row .moved" },
  { name: "neighbourhood", hash: "#/neighbours?q=annual%20leave", ready: ".near" },
  { name: "analyzers", hash: "#/analyzers?a=standard,ik_smart,none", ready: ".analyzed [role=alert]" },
  { name: "reports, none", hash: "#/reports", ready: ".empty" },
  {
    name: "a report",
    hash: "#/reports",
    ready: ".empty",
    more: async (page) => {
      await page.locator("input[type=file]").setInputFiles({
        name: "report.json",
        mimeType: "application/json",
        buffer: Buffer.from(JSON.stringify(exampleReport())),
      });
      await page.locator(".questions summary").first().click();
    },
  },
  {
    name: "console",
    hash: "#/console",
    ready: ".console",
    more: async (page) => {
      await page.getByRole("button", { name: "Send" }).click();
      await page.locator(".console-answer pre").waitFor();
    },
  },
  {
    name: "the question for a key",
    hash: "#/ask",
    ready: "h1",
    more: async (page) => {
      await page.route("**/ask", (route) => route.fulfill({ status: 401, json: { error: { code: "UNAUTHORIZED" } } }));
      // A page that is read again asks what stands in its address.
      if (!page.url().includes("q=")) await page.locator(".suggestions .chip").first().click();
      await page.getByLabel("API key").waitFor();
    },
  },
];

describe.skipIf(browserPath === undefined)("every view of the playground", () => {
  let served: ServedPlayground;
  beforeAll(async () => {
    served = await servePlayground();
  });
  afterAll(() => served?.close());

  const open = async (page: Page, { hash, ready, more }: (typeof VIEWS)[number]) => {
    await page.goto(`${served.url}/_ui/${hash}`);
    await page.locator(ready).first().waitFor();
    await more?.(page);
  };

  for (const view of VIEWS) {
    it(`has nothing that axe finds: ${view.name}`, async () => {
      const page = await served.page({ colorScheme: "light", reducedMotion: "reduce" });
      await open(page, view);
      expect(await violations(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      await page.reload();
      await page.locator(view.ready).first().waitFor();
      await view.more?.(page);
      expect(await violations(page)).toEqual([]);
      await page.context().close();
    });

    it(`is no wider than a phone: ${view.name}`, async () => {
      const page = await served.page({ viewport: { width: 360, height: 740 }, locale: "zh-CN" });
      await page.addInitScript("localStorage.setItem('huiliu.locale', 'en')");
      await open(page, view);
      const wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      expect(await page.evaluate(wider)).toBe(0);
      await page.context().close();
    });
  }

  it("can be used with the keyboard alone", async () => {
    const page = await served.page();
    await page.goto(`${served.url}/_ui/`);
    await page.locator(".suggestions .chip").first().waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.className")).toBe("skip");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("annual leave");
    await page.keyboard.press("Enter");
    await page.locator(".hit").first().waitFor();
    // In the field letters are letters.
    await page.keyboard.type(" g?");
    expect(await page.getByLabel("What to search for").inputValue()).toBe("annual leave g?");
    await page.locator("main").focus();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    expect(await page.evaluate("[...document.querySelectorAll('.hit')].indexOf(document.activeElement)")).toBe(1);
    await page.keyboard.press("o");
    await page.getByRole("dialog").locator("mark").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("to the question").waitFor();
    await page.keyboard.press("Escape");
  });

  it("shows where the focus is", async () => {
    const page = await served.page();
    await page.goto(`${served.url}/_ui/#/search?q=leave`);
    await page.locator(".facet").first().waitFor();
    const unseen: unknown[] = [];
    const first = await page.evaluate("document.activeElement.outerHTML");
    for (let i = 0; i < 80; i++) {
      await page.keyboard.press("Tab");
      const [html, seen] = (await page.evaluate(
        `(() => { const e = document.activeElement, s = getComputedStyle(e), box = e.closest("form") && e.matches("[data-question]");
          return [e.outerHTML.slice(0, 200), box || s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2 || e === document.body]; })()`,
      )) as [string, boolean];
      if (!seen) unseen.push(html);
      if (html === first) break;
    }
    expect(unseen).toEqual([]);
  });
});
