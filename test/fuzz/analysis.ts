/**
 * Differential test of analyzers: random texts, analyzed here and by an Elasticsearch node, must give the same tokens.
 *
 *     npx tsx test/fuzz/analysis.ts --url http://127.0.0.1:9200 [--seed 1] [--rounds 100] [--analyzers standard,cjk] [--text FILE ...]
 *
 * `--chains` compares chains of random tokenizers, filters and character filters instead of analyzers; `--chains all` takes parts that the
 * reference node lacks as well, for an OpenSearch node with the whole of the analysis module.
 * `--text` names files whose sentences are mixed in. Prints each difference; the exit code is 1 when there was one.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { analysisResources } from "../../src/elasticsearch/assets.ts";
import { analyzeRequest, createAnalysisRegistry } from "../../src/engine/analysis/index.ts";
import type { Analyzer } from "../../src/engine/analysis/types.ts";
import type { JsonValue } from "../../src/engine/json/types.ts";
import { seededRandom } from "../random.ts";
import { CHAR_FILTERS, FILTERS, OTHER_FILTERS, OTHER_TOKENIZERS, TOKENIZERS } from "./analysis-parts.ts";

const { values: args } = parseArgs({
  options: {
    url: { type: "string" },
    seed: { type: "string", default: "1" },
    rounds: { type: "string", default: "100" },
    batch: { type: "string", default: "40" },
    analyzers: {
      type: "string",
      default:
        "standard,simple,whitespace,stop,keyword,pattern,english,cjk,french,german,spanish,italian,portuguese,dutch,russian,swedish,ik_max_word,ik_smart",
    },
    text: { type: "string", multiple: true, default: [] },
    chains: { type: "string" },
    show: { type: "string", default: "20" },
  },
});
if (args.url === undefined) throw new Error("--url of an Elasticsearch node is missing");

const random = seededRandom(Number(args.seed));
const below = (n: number) => Math.floor(random() * n);
const pick = <T>(list: readonly T[]): T => list[below(list.length)];

const sentences = args.text.flatMap((file) => readFileSync(file, "utf8").match(/[^\n。！？"\\]{2,60}/g) ?? []);

/** Characters that one of the two runtimes knows and the other does not: what Unicode has added between their versions. */
const unequal = new Set<number>();

/** Any character of a range, but no surrogate. */
function character(from: number, to: number): string {
  for (;;) {
    const c = from + below(to - from + 1);
    if ((c < 0xd800 || c > 0xdfff) && !unequal.has(c)) return String.fromCodePoint(c);
  }
}

const ALPHABETS = [
  "abcdefghijklmnopqrstuvwxyz",
  "aeinorstuàâçéèêëîïôùûœ",
  "aeinrstuäöüßáíóúñ",
  "aeimnoqrsãõáéíóúç",
  "aeikmnrstäåæø",
  "абвгдежийклмнопрстуыьяюё",
  "αβγδεζηικλμνοπρστυωάέήίόώςΐ",
  "aeiklnrsąčęėįšųūžığşçö",
  "աբգեիկլմնոպրտքըներով",
  "ابتجدرسعفكلمنهوية",
  "कखगतनमरलसहािीुेोंँ",
];
const ENDINGS = (
  "s es ed ing ly ness ation ational ization iveness ement ements ateur atrice euse eux aux ique ères ungen heiten lich end ern e en er est " +
  "amente azioni ità ando erà idades ções mente aban ieron heid elijk ingen tjes arna erna heten ость ами ого ыми ться ные ssa ssä een lla " +
  "nak ban okat ului lor ilor ește lerin dan mış iai ose ams ών ους ματα ները երի ات ون ين ों ियाँ 's ’s y ies"
).split(" ");
/** A word, nearly, of one of the languages that have a stemmer. */
function word(): string {
  const letters = pick(ALPHABETS);
  let made = "";
  for (let i = 0, count = 1 + below(7); i < count; i++) made += letters[below(letters.length)];
  for (let i = below(3); i > 0; i--) made += pick(ENDINGS);
  return random() < 0.1 ? made.toUpperCase() : made;
}

const PIECES: (() => string)[] = [
  word,
  () => `${word()} `,
  () => `${pick(["l'", "d’", "qu'", "dell'", "t-", "n-", "the ", "les ", "und "])}${word()} `,
  () => String(below(100000)),
  () => pick("0123456789".split("")),
  () => pick("一二三四五六七八九十百千万亿零两壹贰拾佰仟〇兆半几第".split("")),
  () => pick("个名年月日元天岁人次条斤米公里小时分钟世纪度块盒件号层".split("")),
  () =>
    pick([
      "hello",
      "World",
      "it's",
      "O’Neil",
      "C++",
      "a.b",
      "x_1",
      "Java",
      "v2.0.1",
      "iPhone",
      "don't",
      "the",
      "of",
      "running",
    ]),
  () =>
    pick([
      " ",
      "  ",
      "\t",
      "\n",
      ",",
      ".",
      "，",
      "。",
      "-",
      "_",
      "'",
      '"',
      ":",
      "·",
      "/",
      "@",
      "#",
      "&",
      "+",
      "%",
      "°",
      "’",
      "\u200d",
      "\ufe0f",
    ]),
  () => pick(["👍", "👨‍👩‍👧", "🇨🇳", "1️⃣", "👩🏽‍🚀", "☎", "㊗️", "🏴\u{e0067}\u{e0062}\u{e007f}", "❤️", "🎉"]),
  () => pick(["Ａ", "ｂ", "１", "２３", "％", "ｶ", "ﾞ", "ﾟ", "￥", "（", "，"]),
  () => character(0x4e00, 0x9fa5),
  () => character(0x20, 0x7e),
  () => character(0xa0, 0x24f),
  () => character(0x370, 0x6ff),
  () => character(0x900, 0x1fff),
  () => character(0x2000, 0x33ff),
  () => character(0, 0xffff),
  () => character(0xff00, 0xffef),
  () => character(0x1f000, 0x1faff),
  () => character(0x10000, 0x2ffff),
  () => pick(["ก", "ไทย", "မြန်", "한국", "カタカナ", "ひら", "שלום", "ש״ל", "العربية", "हिन्दी"]),
];

function text(): string {
  let made = "";
  const kinds = random() < 0.5 ? PIECES : [pick(PIECES), pick(PIECES), pick(PIECES)];
  const count = 1 + below(20);
  for (let i = 0; i < count; i++) {
    if (sentences.length > 0 && random() < 0.2) {
      const sentence = pick(sentences);
      const at = below(sentence.length);
      made += sentence.slice(at, at + 1 + below(30));
    } else made += pick(kinds)();
  }
  // Longer than the buffers of tokenizers.
  if (random() < 0.02) made = made.repeat(1 + Math.floor(9000 / (made.length + 1)));
  // Halves of pairs, which JSON may carry.
  if (random() < 0.03) return made + pick(["\ud83d", "\udc00", "\ud83d a", " \ud800"]);
  return made.replace(LONE, "");
}

const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

interface Line {
  token: string;
  start_offset: number;
  end_offset: number;
  type: string;
  position: number;
  positionLength?: number;
}
const line = (t: Line) =>
  `${t.token} ${t.type} ${t.start_offset}-${t.end_offset} @${t.position}${t.positionLength ? `+${t.positionLength}` : ""}`;

async function theirs(analyzer: string, texts: string[]): Promise<string[]> {
  const response = await fetch(`${args.url}/_analyze`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ analyzer, text: texts }),
  });
  const body = (await response.json()) as { tokens?: Line[] };
  if (body.tokens === undefined) throw new Error(JSON.stringify(body));
  return body.tokens.map(line);
}

function ours(analyzer: Analyzer, texts: string[]): string[] {
  const lines: string[] = [];
  let position = -1;
  let offset = 0;
  for (const value of texts) {
    const end = analyzer.analyze(value, (token, start, stop, increment, length, type) => {
      position += increment;
      lines.push(
        line({
          token,
          type,
          start_offset: start + offset,
          end_offset: stop + offset,
          position,
          ...(length > 1 ? { positionLength: length } : {}),
        }),
      );
    });
    // Outside of an index Elasticsearch's built-in analyzers leave no gap.
    position += end.increment;
    offset += end.offset + analyzer.offsetGap;
  }
  return lines;
}

const resources = analysisResources();
const registry = createAnalysisRegistry({}, resources);
let differences = 0;
let compared = 0;

const some = <T>(list: readonly T[], most: number) => Array.from({ length: below(most + 1) }, () => pick(list));

const everything = args.chains === "all";
// What OpenSearch's answers are not Elasticsearch's in, or what it does not have.
const shared = (parts: JsonValue[]) =>
  parts.filter(
    (part) => !/ik_|"unique"|"edge_ngram"$|"elision"$|"synonym/.test(JSON.stringify(part)) || typeof part === "object",
  );
const tokenizers = everything ? [...shared(TOKENIZERS), ...OTHER_TOKENIZERS] : TOKENIZERS;
const filters = everything ? [...shared(FILTERS), ...OTHER_FILTERS, ...OTHER_FILTERS] : FILTERS;

const isSynonyms = (part: JsonValue) => JSON.stringify(part).includes('"synonym');

async function compareChain(): Promise<void> {
  const body = {
    tokenizer: pick(tokenizers),
    filter: some(filters, 3),
    char_filter: some(CHAR_FILTERS, 1),
    text: [text(), text()],
  };
  // The reference node lets rules go through the synonyms of filters before theirs, which Elasticsearch's own modules do not.
  if (body.filter.filter(isSynonyms).length > 1) return;
  const response = await fetch(`${args.url}/_analyze`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const theirs = (await response.json()) as { tokens?: Line[]; error?: { type: string; reason: string } };
  let ours: { tokens?: Line[]; error?: string };
  try {
    ours = analyzeRequest(body, { resources }) as unknown as { tokens: Line[] };
  } catch (error) {
    ours = { error: String(error) };
    // The reference node lets rules go through filters that Elasticsearch's own modules refuse there.
    if (ours.error?.includes("cannot be used to parse synonyms")) return;
  }
  compared++;
  const a = ours.tokens?.map(line) ?? ["error"];
  const b = theirs.tokens?.map(line) ?? ["error"];
  if (a.join("\n") === b.join("\n")) return;
  differences++;
  if (differences > Number(args.show)) return;
  const at = a.findIndex((l, i) => l !== b[i]);
  const from = at < 0 ? a.length : at;
  console.log(JSON.stringify(body));
  console.log(`  ours   ${ours.error ?? a.slice(from, from + 4).join(" | ")}`);
  console.log(`  theirs ${theirs.error?.reason ?? b.slice(from, from + 4).join(" | ")}`);
}

/** Asks the node what each character is and becomes, by parts that leave that to the runtime. */
async function findUnequal(): Promise<void> {
  const classes = "letter,digit,punctuation,symbol".split(",");
  const STEP = 4000;
  for (let from = 0x80; from < 0x30000; from += STEP) {
    const all = Array.from({ length: STEP }, (_, i) => from + i).filter((c) => c < 0xd800 || c > 0xdfff);
    const value = all.map((c) => String.fromCodePoint(c)).join("");
    for (const [token_chars, filter] of classes.flatMap((name) => [
      [name, "uppercase"],
      [name, "lowercase"],
    ])) {
      const tokenizer = { type: "ngram", min_gram: 1, max_gram: 1, token_chars: [token_chars] };
      const body = { tokenizer, filter: [filter], text: value };
      const known = (lines: Line[]) => new Map(lines.map((l) => [l.start_offset, l.token]));
      const response = await fetch(`${args.url}/_analyze`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const theirs = known(((await response.json()) as { tokens: Line[] }).tokens);
      const ours = known((analyzeRequest(body, { resources }) as unknown as { tokens: Line[] }).tokens);
      let offset = 0;
      for (const c of all) {
        if (theirs.get(offset) !== ours.get(offset)) unequal.add(c);
        offset += c > 0xffff ? 2 : 1;
      }
    }
  }
  console.log(`${unequal.size} characters are not the same to both runtimes and are left out`);
}

async function compareAnalyzers(): Promise<void> {
  for (let round = 0; round < Number(args.rounds); round++) {
    const texts = Array.from({ length: Number(args.batch) }, text);
    for (const name of args.analyzers.split(",")) {
      const analyzer = registry.get(name);
      if (analyzer === undefined) throw new Error(`no analyzer ${name}`);
      compared += texts.length;
      // One request produces at most 10,000 tokens.
      const small = texts.reduce((length, one) => length + one.length, 0) < 6000;
      if (small && ours(analyzer, texts).join("\n") === (await theirs(name, texts)).join("\n")) continue;
      const before = differences;
      for (const one of texts) {
        const mine = ours(analyzer, [one]);
        const other = await theirs(name, [one]);
        if (mine.join("\n") === other.join("\n")) continue;
        differences++;
        if (differences > Number(args.show)) continue;
        console.log(`${name}: ${JSON.stringify(one)}`);
        const at = mine.findIndex((l, i) => l !== other[i]);
        const from = at < 0 ? mine.length : at;
        console.log(`  ours   ${mine.slice(from, from + 5).join(" | ")}`);
        console.log(`  theirs ${other.slice(from, from + 5).join(" | ")}`);
      }
      if (differences > before || !small) continue;
      // Each value by itself is the same: what differs is the state at the end of one.
      // (IK gives a value without tokens the end of whatever its thread analyzed before.)
      const filled = name.startsWith("ik_") ? texts.filter((one) => ours(analyzer, [one]).length > 0) : texts;
      const mine = ours(analyzer, filled);
      const other = await theirs(name, filled);
      if (mine.join("\n") === other.join("\n")) continue;
      const at = mine.findIndex((l, i) => l !== other[i]);
      differences++;
      console.log(
        `${name}: values of one field, from token ${at} of ${other.length}\n  ours   ${mine[at]}\n  theirs ${other[at]}`,
      );
    }
  }
}

await findUnequal();
if (args.chains !== undefined) for (let i = 0; i < Number(args.rounds) * Number(args.batch); i++) await compareChain();
else await compareAnalyzers();
console.log(`${compared} texts compared, ${differences} differ`);
process.exitCode = differences > 0 ? 1 : 0;
