/** The interface's words in the chosen language. */
import { computed } from "@preact/signals";
import { locale } from "../state/settings.ts";
import { en, type Words } from "./en.ts";
import { zh } from "./zh.ts";

const words = computed<Words>(() => (locale.value === "zh" ? zh : en));

/** The words now; a component that reads them is drawn anew when the language changes. */
export function say(): Words {
  return words.value;
}
