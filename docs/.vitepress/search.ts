/** The site's own search (MiniSearch, in the reader's browser), with words for Chinese and English. */

/**
 * The words of a text. VitePress sends this function to the browser as text: it must use nothing from outside itself.
 *
 * Browsers cut Chinese by dictionaries that differ from Node's, which makes the index. Each word of several characters is therefore followed by
 * its characters, so that a question finds what the index cut otherwise.
 */
export function searchWords(text: string): string[] {
  const words: string[] = [];
  const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (!isWordLike) continue;
    words.push(segment);
    if (segment.length > 1 && /^\p{Script=Han}+$/u.test(segment)) words.push(...segment);
    // Names of options: ef_construction is found by construction, topK by its parts.
    const parts = segment.split(/_|(?<=[a-z])(?=[A-Z])/).filter((part) => part !== "");
    if (parts.length > 1) words.push(...parts);
  }
  return words;
}

interface Renderer {
  render(markdown: string, env?: object): string;
}

/** What of a page is searched: of the API reference the names and what they are for, which keeps the index small. */
export function searchedText(src: string, env: { relativePath: string }, md: Renderer): string {
  if (!env.relativePath.startsWith("api/")) return md.render(src, env);
  const [title, ...paragraphs] = src.replace(/^```[\s\S]*?^```$/gm, "").split(/\n{2,}/);
  const first = paragraphs.find((text) => text.trim() !== "" && !text.startsWith("#"));
  return md.render([title, first].join("\n\n"), env);
}

export const zhSearch = {
  translations: {
    button: { buttonText: "搜索", buttonAriaLabel: "搜索" },
    modal: {
      displayDetails: "显示详情",
      resetButtonTitle: "清除",
      backButtonTitle: "关闭搜索",
      noResultsText: "没有找到",
      footer: {
        selectText: "打开",
        selectKeyAriaLabel: "回车",
        navigateText: "移动",
        navigateUpKeyAriaLabel: "向上",
        navigateDownKeyAriaLabel: "向下",
        closeText: "关闭",
        closeKeyAriaLabel: "Esc",
      },
    },
  },
};
