/** The pages in reading order. Their titles are their first headings. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DefaultTheme } from "vitepress";

const docs = fileURLToPath(new URL("..", import.meta.url));

export type Language = "en" | "zh";

interface Section {
  title: Record<Language, string>;
  pages: string[];
}

const SECTIONS: Section[] = [
  {
    title: { en: "Guide", zh: "指南" },
    pages: [
      "getting-started",
      "choosing",
      "chinese",
      "models",
      "evaluation",
      "server",
      "playground",
      "elasticsearch",
      "operations",
      "security",
      "troubleshooting",
    ],
  },
  {
    title: { en: "Searching", zh: "检索" },
    pages: ["strategies", "search-and-fusion", "analysis", "embedding", "common-mistakes"],
  },
  {
    title: { en: "Answers and agents", zh: "回答与智能体" },
    pages: ["response-modes", "agents", "llamaindex"],
  },
  {
    title: { en: "Engine", zh: "引擎" },
    pages: ["engine", "data-folder", "performance"],
  },
];

export function sidebar(language: Language): DefaultTheme.SidebarItem[] {
  const folder = language === "en" ? "" : `${language}/`;
  const sections = SECTIONS.map(({ title, pages }) => ({
    text: title[language],
    items: pages
      .filter((page) => existsSync(`${docs}${folder}${page}.md`))
      .map((page) => ({ text: titleOf(`${docs}${folder}${page}.md`), link: `/${folder}${page}` })),
  }));
  const api = { text: language === "en" ? "API reference" : "API 参考（英文）", items: apiItems() };
  return [...sections, api].filter(({ items }) => items.length > 0);
}

/** Files that are there in both languages. */
export function translated(): string[] {
  return readdirSync(`${docs}zh`).filter((name) => name.endsWith(".md") && existsSync(`${docs}${name}`));
}

/** The modules of the API reference, which is made at build time. */
function apiItems(): DefaultTheme.SidebarItem[] {
  const modules = ["huiliu", "huiliu/engine", "huiliu/testing", "huiliu/ai-sdk", "huiliu/langchain", "huiliu/mcp"];
  return modules.map((name) => ({ text: name, link: `/api/${name}/` }));
}

function titleOf(file: string): string {
  return /^# (.+)$/m.exec(readFileSync(file, "utf8"))?.[1] ?? file;
}
