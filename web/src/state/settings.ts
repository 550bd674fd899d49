/** Language and theme: what was chosen is remembered, what was not follows the browser. */
import { effect, signal } from "@preact/signals";

export type Locale = "en" | "zh";
export type Theme = "auto" | "light" | "dark";

function remembered<T extends string>(name: string, known: readonly T[]): T | undefined {
  try {
    const value = localStorage.getItem(`huiliu.${name}`);
    return known.find((one) => one === value);
  } catch {
    return undefined;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`huiliu.${name}`, value);
  } catch {
    // A browser that keeps nothing begins anew each time.
  }
}

/** The first of the browser's languages that the playground speaks. */
export function preferredLocale(languages: readonly string[]): Locale {
  for (const language of languages) {
    if (/^zh\b/i.test(language)) return "zh";
    if (/^en\b/i.test(language)) return "en";
  }
  return "en";
}

export const locale = signal<Locale>(remembered("locale", ["en", "zh"]) ?? preferredLocale(navigator.languages));
export const theme = signal<Theme>(remembered("theme", ["auto", "light", "dark"]) ?? "auto");

export function chooseLocale(value: Locale): void {
  locale.value = value;
  remember("locale", value);
}

export function chooseTheme(value: Theme): void {
  theme.value = value;
  remember("theme", value);
}

export function followSettings(): void {
  effect(() => {
    document.documentElement.lang = locale.value === "zh" ? "zh-CN" : "en";
  });
  effect(() => {
    if (theme.value === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme.value;
  });
}
