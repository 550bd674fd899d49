/** Links of a built site that lead nowhere: pages, files and anchors. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";

/** Each broken link as `page: target`. */
export async function brokenLinks(dist: string, base = process.env["DOCS_BASE"] ?? "/"): Promise<string[]> {
  const pages = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith(".html"));
  const anchors = new Map<string, Set<string>>();
  const links: { page: string; href: string }[] = [];
  for (const name of pages) {
    const page = join(dist, name);
    const html = await readFile(page, "utf8");
    anchors.set(page, new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => decoded(id!))));
    for (const [, href] of html.matchAll(/<a\s[^>]*?href="([^"]*)"/g)) links.push({ page, href: decoded(href!) });
  }
  const broken = new Set<string>();
  for (const { page, href } of links) {
    if (/^[a-z][a-z+.-]*:/i.test(href)) continue;
    const [path, anchor] = href.split("#") as [string, string?];
    const target = path === "" ? page : fileOf(dist, base, page, path);
    const found = anchors.get(target);
    const whole = found ? !anchor || found.has(anchor) : existsSync(target);
    if (!whole) broken.add(`${relative(dist, page)}: ${href}`);
  }
  return [...broken].sort();
}

function fileOf(dist: string, base: string, page: string, path: string): string {
  const file = path.startsWith("/") ? join(dist, path.slice(base.length - 1)) : resolve(dirname(page), path);
  if (path.endsWith("/") || path === "") return join(file, "index.html");
  return existsSync(`${file}.html`) ? `${file}.html` : file;
}

function decoded(attribute: string): string {
  const text = attribute.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
