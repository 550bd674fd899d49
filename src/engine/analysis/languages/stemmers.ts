/** The languages of the `stemmer` filter. */
import { unsupported } from "../../errors.ts";
import { mapFilter, type TokenFilter } from "../chain.ts";
import { kstemFilter } from "../filters/kstem.ts";
import { porterStemFilter, possessiveFilter } from "../filters/porter.ts";
import { minimalEnglishFilter } from "../filters/porter2.ts";
import type { AnalysisResources } from "../types.ts";
import { lightGerman, lightSwedish, minimalGerman } from "./germanic.ts";
import { lightFrench, lightItalian, lightPortuguese, lightSpanish, minimalFrench } from "./romance.ts";
import { lightRussian } from "./russian.ts";
import { capitalized, snowballFilter } from "./snowball.ts";

const words =
  (stem: (word: string) => string) =>
  (name: string): TokenFilter =>
    mapFilter(name, stem, { keywords: true });

/** Stemmers that are not Snowball's, by language in lower case and without underscores. */
const STEMMERS: Readonly<Record<string, (name: string) => TokenFilter>> = {
  english: porterStemFilter,
  porter: porterStemFilter,
  lightenglish: kstemFilter,
  kstem: kstemFilter,
  minimalenglish: minimalEnglishFilter,
  possessiveenglish: possessiveFilter,
  lightfrench: words(lightFrench),
  minimalfrench: words(minimalFrench),
  lightgerman: words(lightGerman),
  minimalgerman: words(minimalGerman),
  lightitalian: words(lightItalian),
  lightportuguese: words(lightPortuguese),
  lightrussian: words(lightRussian),
  lightspanish: words(lightSpanish),
  lightswedish: words(lightSwedish),
};

/** Languages whose stemmer is Snowball's. */
const SNOWBALL: ReadonlySet<string> = new Set(
  (
    "armenian basque catalan danish dutch estonian finnish french german german2 hungarian irish italian lithuanian lovins norwegian " +
    "portuguese romanian russian serbian spanish swedish turkish"
  ).split(" "),
);

/** Stemmers of Lucene that the engine has not. */
const LUCENE_ONLY: ReadonlySet<string> = new Set(
  (
    "arabic bengali brazilian bulgarian czech dutchkp kp lightfinish lightfinnish galician minimalgalician greek hindi lighthungarian indonesian " +
    "latvian lightnorwegian minimalnorwegian lightnynorsk minimalnynorsk persian minimalportuguese portugueserslp spanishplural sorani"
  ).split(" "),
);

/** @param language as the setting has it: in any case, words with an underscore or run together */
export function stemmerFilter(name: string, language: string, resources: AnalysisResources): TokenFilter {
  const key = language.toLowerCase().replace(/(?<=^(?:light|minimal|possessive|dutch|portuguese|spanish))_/, "");
  if (Object.hasOwn(STEMMERS, key)) return STEMMERS[key](name);
  if (LUCENE_ONLY.has(key)) throw unsupported(`stemmer with language ${language}`);
  if (key === "porter2") return snowballFilter(name, "English", resources);
  // What the filter does not name is looked for among Snowball's stemmers, by the name with a capital.
  return snowballFilter(name, SNOWBALL.has(key) ? capitalized(key) : capitalized(language), resources);
}
