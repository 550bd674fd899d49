/** The playground as a server gives it, with documents, and a browser that opens it. */
import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { openCollection } from "../../src/collection/collection.ts";
import type { Collection } from "../../src/collection/types.ts";
import { openEngine } from "../../src/elasticsearch/engine.ts";
import { document, type Metadata } from "../../src/schema/index.ts";
import { type RunningServer, startServer } from "../../src/server/index.ts";
import { playgroundRoutes } from "../../src/server/playground.ts";
import { addProduct, type Product, type ProductOptions } from "../../src/server/product/index.ts";
import { buildPackage } from "../built.ts";

/** A Chromium: `CHROMIUM_PATH`, or where Debian and others put it. */
export const browserPath = [
  process.env["CHROMIUM_PATH"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));
if (browserPath === undefined)
  console.log("no Chromium: the playground is not tested in a browser. Install one, or name it by CHROMIUM_PATH");

export interface Given {
  id: string;
  text: string;
  metadata?: Metadata;
}

export const HANDBOOK: Given[] = [
  {
    id: "leave/annual.md",
    text: "Annual leave is ten days a year. It is approved by the manager.\n\nLeave that is left at the end of the year lapses in March.",
    metadata: { title: "Annual leave", level: "staff", year: 2024, date: "2024-03-01" },
  },
  {
    id: "leave/marriage.md",
    text: "婚假为三天，须提前申请。再婚的员工待遇相同。",
    metadata: { title: "婚假", level: "staff", year: 2020, date: "2020-05-01" },
  },
  {
    id: "pay/board.md",
    text: "The pay of the board is agreed once a year. Managers have twelve days of annual leave.",
    metadata: { title: "Pay of the board", level: "board", year: 2024, date: "2024-06-15" },
  },
];

export interface ServedPlayground {
  server: RunningServer;
  collection: Collection;
  url: string;
  page(options?: BrowserContextOptions): Promise<Page>;
  /** What pages complained of since it was last asked: errors, and what the policy refused. */
  complaints(): string[];
  close(): Promise<void>;
}

export interface ServeOptions extends Partial<Omit<ProductOptions, "client" | "open">> {
  /** Runs before the other routes. */
  before?: Parameters<typeof startServer>[0]["routes"];
}

export async function servePlayground(
  documents: readonly Given[] = HANDBOOK,
  { before, ...options }: ServeOptions = {},
): Promise<ServedPlayground> {
  await buildPackage();
  const engine = await openEngine();
  const client = engine.client();
  let product: Product | undefined;
  const server = await startServer({
    engine,
    port: 0,
    routes: (app) => {
      before?.(app);
      product = addProduct(app, {
        client,
        open: (name, { write = false, create = false, analysis } = {}) =>
          openCollection(name, { elasticsearch: client, readOnly: !write, create, ...(analysis ? { analysis } : {}) }),
        ...options,
      });
      playgroundRoutes(app);
    },
  });
  const collection = await openCollection("handbook", { elasticsearch: client });
  await collection.addDocuments(
    documents.map(({ id, text, metadata = {} }) => document({ id, text, metadata: { file: id, ...metadata } })),
  );
  const browser = await launch();
  let complaints: string[] = [];
  return {
    server,
    collection,
    url: server.url,
    async page(options = {}) {
      const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1280, height: 900 }, ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("dialog", (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on("console", (message) => {
        // The browser's own line about an answer of 4xx: pages show those themselves.
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
          complaints.push(message.text());
      });
      return page;
    },
    complaints() {
      const all = complaints;
      complaints = [];
      return all;
    },
    async close() {
      await browser.close();
      await collection.close();
      await product!.close();
      await server.close();
      await engine.close();
    },
  };
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath!,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
}
