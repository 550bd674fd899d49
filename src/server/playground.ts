/**
 * The playground at `/_ui/`: the built files of `web/`, as they are. The page may load nothing but them, runs no script that stands in it, and
 * asks this server alone; none of the files holds anything of a collection, so they are given without a key.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";

export const PLAYGROUND = "/_ui/";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** What a document says can neither run nor load anything, even where the page's own code were wrong. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

interface StaticFile {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
  tag: string;
  /** Its name changes with what is in it. */
  hashed: boolean;
}

/** Adds the playground, and sends browsers that open `/` there. */
export function playgroundRoutes(app: Hono<{ Bindings: HttpBindings }>): void {
  let files: Promise<Map<string, StaticFile>> | undefined;
  app.get("/", (context, next) => (isBrowser(context.req.header("accept")) ? toPlayground() : next()));
  app.get("/_ui", toPlayground);
  app.get("/_ui/*", async (context) => {
    files ??= builtFiles();
    const known = await files;
    // It may be built while the server runs.
    if (known.size === 0) files = undefined;
    const file = known.get(context.req.path.slice(PLAYGROUND.length) || "index.html");
    if (!file)
      return new Response(
        known.size === 0
          ? "The playground is not built: npm run build makes it."
          : `There is no ${context.req.path}. The playground is at ${PLAYGROUND}`,
        { status: 404, headers: { ...HEADERS, "content-type": "text/plain; charset=utf-8" } },
      );
    const headers = {
      ...HEADERS,
      "content-type": file.type,
      etag: file.tag,
      "cache-control": file.hashed ? "public, max-age=31536000, immutable" : "no-cache",
    };
    if (context.req.header("if-none-match") === file.tag) return new Response(null, { status: 304, headers });
    return new Response(file.bytes, { headers });
  });
}

function toPlayground(): Response {
  return new Response(null, { status: 302, headers: { location: PLAYGROUND, vary: "accept" } });
}

/** Browsers ask for a page; clients of Elasticsearch for JSON, or for anything. */
export function isBrowser(accept = ""): boolean {
  const first = accept.split(",")[0]!.split(";")[0]!.trim().toLowerCase();
  return first === "text/html" || first === "application/xhtml+xml";
}

/** The files by their path; none where the playground has not been built. Nothing but what is in this list is ever given. */
async function builtFiles(): Promise<Map<string, StaticFile>> {
  const folder = await builtFolder();
  const files = new Map<string, StaticFile>();
  if (folder === undefined) return files;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = new Uint8Array(await readFile(path));
    const name = path.slice(folder.length + 1).replaceAll("\\", "/");
    const tag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
    files.set(name, { bytes, type, tag, hashed: name.startsWith("assets/") });
  }
  return files;
}

/** `dist/ui` of the package, from the sources and from the built bundle alike. */
async function builtFolder(): Promise<string | undefined> {
  const here = dirname(fileURLToPath(import.meta.url));
  for (let folder = here; ; folder = dirname(folder)) {
    const built = join(folder, "dist", "ui");
    const found = await readdir(built).catch((): string[] => []);
    if (found.includes("index.html")) return built;
    if (dirname(folder) === folder) return undefined;
  }
}
