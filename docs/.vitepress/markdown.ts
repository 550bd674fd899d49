/** The pages are read on GitHub and npm too: what differs there is settled here. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MarkdownRenderer } from "vitepress";

/** Links to files beside the documentation (`../compose.yaml`) lead nowhere on the site: their text stays. */
export function textForLinksOut(md: MarkdownRenderer): void {
  md.core.ruler.push("links-out", ({ tokens, env }) => {
    const depth = String(env.relativePath ?? "").split("/").length;
    for (const { children } of tokens) {
      let out = false;
      for (const token of children ?? []) {
        if (token.type === "link_open")
          out = (/^(\.\.\/)+/.exec(String(token.attrGet("href")))?.[0].length ?? 0) / 3 >= depth;
        if (!out || !token.type.startsWith("link_")) continue;
        if (token.type === "link_close") out = false;
        token.type = token.type === "link_open" ? "span_open" : "span_close";
        token.tag = "span";
        token.attrs = null;
      }
    }
  });
}

/** A link that is called by its file (`engine.md`) is called by the page's title on the site, where nobody sees files. */
export function titlesForFiles(md: MarkdownRenderer): void {
  md.core.ruler.push("titles-for-files", ({ tokens, env }) => {
    for (const { children } of tokens) {
      children?.forEach((token, i) => {
        const text = children[i + 1];
        if (token.type !== "link_open" || text?.type !== "text" || !/^[\w-]+\.md$/.test(text.content)) return;
        const file = join(
          dirname(String(env.path ?? "")),
          decodeURI(String(token.attrGet("href"))).replace(/#.*$/, ""),
        );
        const title = existsSync(file) && /^# (.+)$/m.exec(readFileSync(file, "utf8"))?.[1];
        if (title) text.content = title;
      });
    }
  });
}
