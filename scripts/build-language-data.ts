/**
 * Builds the word lists of languages from those of Lucene (Apache-2.0; KStem's lexicon under the licence that NOTICE names):
 * `src/engine/analysis/languages/stop-word-data.ts` and `src/engine/analysis/filters/kstem-data.ts`.
 *
 *     npx tsx scripts/build-language-data.ts FOLDER
 *
 * FOLDER holds the jars of Elasticsearch's server 8.17 and of what it needs, as Maven Central has them. Needs Java 17 and Biome.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("name the folder of the jars: npx tsx scripts/build-language-data.ts FOLDER");

/** Prints a line for each stop word and for each word of KStem's lexicon. */
const DUMP = `
import java.lang.reflect.Field;
import java.util.Map;
public class Dump {
  static Object get(Class<?> type, String name, Object of) throws Exception {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }
  public static void main(String[] args) throws Exception {
    var out = new java.io.PrintStream(System.out, true, "UTF-8");
    var sets = (Map<?, ?>) get(Class.forName("org.elasticsearch.index.analysis.Analysis"), "NAMED_STOP_WORDS", null);
    for (var set : sets.entrySet())
      for (Object word : (Iterable<?>) set.getValue())
        out.println("stop\\t" + set.getKey() + "\\t" + new String((char[]) word));
    var lexicon = (Map<?, ?>) get(Class.forName("org.apache.lucene.analysis.en.KStemmer"), "dict_ht", null);
    for (var entry : lexicon.entrySet()) {
      Object value = entry.getValue();
      Object root = get(value.getClass(), "root", value);
      out.println("kstem\\t" + new String((char[]) entry.getKey()) + "\\t" + (root == null ? "" : root) + "\\t"
        + get(value.getClass(), "exception", value));
    }
  }
}`;
const source = join(mkdtempSync(join(tmpdir(), "languages-")), "Dump.java");
writeFileSync(source, DUMP);
const rows = execFileSync("java", ["-cp", `${folder}/*`, source], { encoding: "utf8", maxBuffer: 64 << 20 })
  .split("\n")
  .map((line) => line.split("\t"));

/** A string over several lines of the file. */
function quoted(text: string): string {
  const lines = text.match(/.{1,400}/gsu) ?? [""];
  return lines.map((line) => JSON.stringify(line)).join(" +\n  ");
}

function write(file: string, content: string): void {
  const path = fileURLToPath(new URL(`../src/engine/analysis/${file}`, import.meta.url));
  writeFileSync(path, content);
  execFileSync("npx", ["biome", "format", "--write", path]);
}

const stops = new Map<string, string[]>();
for (const [kind, name, word] of rows) if (kind === "stop") stops.set(name, [...(stops.get(name) ?? []), word]);
write(
  "languages/stop-word-data.ts",
  `/** Made by scripts/build-language-data.ts: Lucene's stop words, by the names that Elasticsearch's settings use for the lists. */
export const STOP_WORD_DATA: Readonly<Record<string, string>> = {
${[...stops.keys()]
  .sort()
  .map((name) => `${name}:\n  ${quoted((stops.get(name) as string[]).sort().join(" "))},`)
  .join("\n")}
};
`,
);

const lexicon = rows.filter(([kind]) => kind === "kstem").map(([, ...entry]) => entry);
const words = lexicon.map(([word]) => word).sort();
let before = "";
const coded = words.map((word) => {
  let shared = 0;
  while (shared < word.length && word[shared] === before[shared]) shared++;
  before = word;
  return String.fromCharCode(65 + shared) + word.slice(shared);
});
const roots = lexicon.filter(([, root, exception]) => root !== "" && exception === "false").sort();
const exceptions = lexicon.filter(([, , exception]) => exception === "true").sort();
write(
  "filters/kstem-data.ts",
  `/** Made by scripts/build-language-data.ts: the lexicon of KStem, in order; a capital counts the letters shared with the word before ("A" for none). */
export const WORDS =
  ${quoted(coded.join(""))};

/** Words that stand for another one. */
export const ROOTS =
  ${quoted(roots.map(([word, root]) => `${word}:${root}`).join(" "))};

/** Words that end as if they were inflected. */
export const EXCEPTIONS =
  ${quoted(exceptions.map(([word]) => word).join(" "))};
`,
);
process.stdout.write(`${stops.size} lists of stop words, ${words.length} words of KStem's lexicon\n`);
