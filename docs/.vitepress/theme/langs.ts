/**
 * The language menu's links, in the place of the default theme's: a page that is in one language alone (the API reference) leads to the other
 * language's first page, not to a page that there is not.
 */
import { useData } from "vitepress";
import { computed } from "vue";

export function useLangs({ correspondingLink = false } = {}) {
  const { site, localeIndex, page, theme } = useData();
  const linkOf = (key: string) => (key === "root" ? "/" : `/${key}/`);
  const currentLang = computed(() => ({
    label: site.value.locales[localeIndex.value]?.label,
    link: linkOf(localeIndex.value),
  }));
  const localeLinks = computed(() => {
    const path = page.value.relativePath.slice(linkOf(localeIndex.value).length - 1);
    const there = correspondingLink && (theme.value.translated as string[]).includes(path);
    const rest = there ? path.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, ".html") : "";
    return Object.entries(site.value.locales)
      .filter(([key]) => key !== localeIndex.value)
      .map(([key, { label }]) => ({ text: label, link: `${linkOf(key)}${rest}` }));
  });
  return { localeLinks, currentLang };
}
