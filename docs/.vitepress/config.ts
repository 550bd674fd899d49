import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfigWithTheme } from "vitepress";
import { textForLinksOut, titlesForFiles } from "./markdown.ts";
import { sidebar, translated } from "./pages.ts";
import { searchedText, searchWords, zhSearch } from "./search.ts";
import { githubSlug } from "./slug.ts";

export default defineConfigWithTheme<DefaultTheme.Config & { translated?: string[] }>({
  title: "Huiliu",
  base: process.env["DOCS_BASE"] ?? "/",
  srcExclude: ["README.md", "node_modules/**"],
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${process.env["DOCS_BASE"] ?? "/"}logo.svg` }]],
  vite: {
    resolve: {
      alias: [
        { find: /^.*\/composables\/langs$/, replacement: fileURLToPath(new URL("./theme/langs.ts", import.meta.url)) },
      ],
    },
  },
  markdown: {
    anchor: { slugify: githubSlug },
    config: (md) => {
      textForLinksOut(md);
      titlesForFiles(md);
    },
    languageAlias: { mjs: "js" },
  },
  locales: {
    root: {
      label: "English",
      lang: "en",
      description: "Search and answers over your own documents, in Chinese and English, for TypeScript",
      themeConfig: {
        nav: [
          { text: "Guide", link: "/getting-started", activeMatch: "^/(?!api/|strategies|engine)[a-z]" },
          { text: "Strategies", link: "/strategies" },
          { text: "Engine", link: "/engine" },
          { text: "API", link: "/api/", activeMatch: "^/api/" },
        ],
        sidebar: sidebar("en"),
      },
    },
    zh: {
      label: "简体中文",
      lang: "zh-CN",
      description: "面向 TypeScript 的文档检索与问答：用自己的文档，中文、英文都行",
      themeConfig: {
        nav: [
          { text: "指南", link: "/zh/getting-started", activeMatch: "^/zh/(?!strategies|engine)[a-z]" },
          { text: "策略", link: "/zh/strategies" },
          { text: "引擎", link: "/zh/engine" },
          { text: "API", link: "/api/" },
        ],
        sidebar: sidebar("zh"),
        outline: { level: [2, 3], label: "本页内容" },
        docFooter: { prev: "上一页", next: "下一页" },
        darkModeSwitchLabel: "外观",
        lightModeSwitchTitle: "切换到浅色",
        darkModeSwitchTitle: "切换到深色",
        sidebarMenuLabel: "目录",
        returnToTopLabel: "回到顶部",
        langMenuLabel: "切换语言",
        skipToContentLabel: "跳到正文",
        notFound: {
          title: "没有这一页",
          quote: "链接可能已经变了。可以从目录或搜索里找。",
          linkLabel: "回到首页",
          linkText: "回到首页",
        },
      },
    },
  },
  themeConfig: {
    logo: "/logo.svg",
    translated: translated(),
    outline: { level: [2, 3] },
    search: {
      provider: "local",
      options: {
        locales: { zh: zhSearch },
        _render: searchedText,
        miniSearch: {
          options: { tokenize: searchWords },
          searchOptions: { fuzzy: 0.15, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
        },
      },
    },
  },
});
