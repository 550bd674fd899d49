/**
 * Builds assets/ik/ik.dic.bin from the dictionaries of IK Analyzer, as Maven Central has them (Apache-2.0, see assets/ik/NOTICE):
 *
 *     mvn dependency:copy -Dartifact=cn.shenyanchao.ik-analyzer:ik-analyzer:9.0.0 -DoutputDirectory=FOLDER
 *     npx tsx scripts/build-ik-dictionary.ts FOLDER/ik-analyzer-9.0.0.jar
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { packDictionary } from "../src/engine/analysis/ik/dictionary.ts";
import { buildTrie } from "../src/engine/analysis/ik/trie.ts";

const [jar] = process.argv.slice(2);
if (jar === undefined) throw new Error("name the jar: npx tsx scripts/build-ik-dictionary.ts ik-analyzer-9.0.0.jar");

function lines(file: string): string[] {
  const text = execFileSync("unzip", ["-p", jar, `org/wltea/analyzer/dic/${file}`], {
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  return text.replace(/^\ufeff/, "").split(/\r?\n/);
}

const dictionary = {
  words: buildTrie(lines("main2012.dic")),
  quantifiers: buildTrie(lines("quantifier.dic")),
  stopWords: buildTrie(lines("stopword.dic")),
};
const bytes = packDictionary(dictionary);
writeFileSync(new URL("../assets/ik/ik.dic.bin", import.meta.url), bytes);
const nodes = Object.entries(dictionary).map(([name, trie]) => `${name} ${trie.chars.length}`);
process.stdout.write(`${bytes.length} bytes; nodes: ${nodes.join(", ")}\n`);
