/**
 * Builds src/engine/analysis/word-break-data.ts: the classes of characters and the automaton of the standard tokenizer.
 *
 * The rules are the word boundaries of UAX #29 in Unicode 12.1, with emoji sequences of UTS #51, as Lucene 9's StandardTokenizer reads
 * them: the longest match wins, of two rules with the same match the first. Properties come from the package of Unicode data:
 *
 *     npm install --no-save @unicode/unicode-12.1.0
 *     npx tsx scripts/build-word-break.ts
 */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const UNICODE = "@unicode/unicode-12.1.0";
const TARGET = "src/engine/analysis/word-break-data.ts";
const LIMIT = 0x110000;

type CodePoints = Uint8Array;
const packages = createRequire(process.env.UNICODE_PACKAGES ?? import.meta.url);

async function property(from: string, path: string): Promise<CodePoints> {
  const module = (await import(pathToFileURL(packages.resolve(`${from}/${path}/code-points.mjs`)).href)) as {
    default: number[];
  };
  const set = new Uint8Array(LIMIT);
  for (const c of module.default) set[c] = 1;
  return set;
}
const union = (...sets: CodePoints[]): CodePoints => sets[0].map((_, c) => (sets.some((s) => s[c]) ? 1 : 0));
const both = (a: CodePoints, b: CodePoints): CodePoints => a.map((v, c) => v & b[c]);
const without = (a: CodePoints, b: CodePoints): CodePoints => a.map((v, c) => (b[c] ? 0 : v));
function chars(...ranges: [number, number][]): CodePoints {
  const set = new Uint8Array(LIMIT);
  for (const [from, to] of ranges) set.fill(1, from, to + 1);
  return set;
}

const wb = (name: string) => property(UNICODE, `Word_Break/${name}`);
const emoji = (name: string) => property(UNICODE, `Binary_Property/${name}`);

const extend = union(await wb("Extend"), await wb("Format"), await wb("ZWJ"));
const presentation = chars([0xfe0e, 0xfe0f]);
const keyCapBase = chars([0x30, 0x39], [0x23, 0x23], [0x2a, 0x2a]);
const regional = await wb("Regional_Indicator");
const modifier = await emoji("Emoji_Modifier");
const accidental = chars([0xa9, 0xa9], [0xae, 0xae], [0x2122, 0x2122], [0x3030, 0x3030], [0x303d, 0x303d]);
const letters = union(await wb("ALetter"), await wb("Hebrew_Letter"));
const fullWidthDigits = both(
  await property(UNICODE, "Block/Halfwidth_And_Fullwidth_Forms"),
  await property(UNICODE, "General_Category/Decimal_Number"),
);
const singleQuote = await wb("Single_Quote");
const midNumLet = await wb("MidNumLet");

/** The sets that the rules speak of; a class of characters is a combination of them. */
const sets = {
  extend,
  extendNotPresentation: without(extend, presentation),
  zwj: await wb("ZWJ"),
  emojiPresentation: chars([0xfe0f, 0xfe0f]),
  keyCapBase,
  keyCap: chars([0x20e3, 0x20e3]),
  regional,
  emojiChar: union(
    await emoji("Extended_Pictographic"),
    without(await emoji("Emoji"), union(regional, keyCapBase, accidental, modifier)),
  ),
  modifierBase: await emoji("Emoji_Modifier_Base"),
  modifier,
  tag: chars([0xe0020, 0xe007e]),
  tagEnd: chars([0xe007f, 0xe007f]),
  hangul: both(await property(UNICODE, "Script/Hangul"), letters),
  letter: letters,
  hebrew: await wb("Hebrew_Letter"),
  numeric: union(await wb("Numeric"), fullWidthDigits),
  katakana: await wb("Katakana"),
  midLetter: union(await wb("MidLetter"), midNumLet, singleQuote),
  midNumeric: union(await wb("MidNum"), midNumLet, singleQuote),
  singleQuote,
  doubleQuote: await wb("Double_Quote"),
  extendNumLet: await wb("ExtendNumLet"),
  han: await property(UNICODE, "Script/Han"),
  hiragana: await property(UNICODE, "Script/Hiragana"),
  complex: await property(UNICODE, "Line_Break/Complex_Context"),
};
type SetName = keyof typeof sets;
const setNames = Object.keys(sets) as SetName[];

// ---- classes: characters that are in the same sets

const classOf = new Uint8Array(LIMIT);
const masks: number[] = [0];
for (let c = 0; c < LIMIT; c++) {
  let mask = 0;
  for (let i = 0; i < setNames.length; i++) mask |= sets[setNames[i]][c] << i;
  let id = masks.indexOf(mask);
  if (id < 0) id = masks.push(mask) - 1;
  classOf[c] = id;
}

// ---- rules as a non-deterministic automaton

type Rule = (from: number) => number;
const steps: { set: SetName; to: number }[][] = [];
const empty: number[][] = [];
function state(): number {
  steps.push([]);
  return empty.push([]) - 1;
}
const one =
  (set: SetName): Rule =>
  (from) => {
    const to = state();
    steps[from].push({ set, to });
    return to;
  };
const seq =
  (...rules: Rule[]): Rule =>
  (from) =>
    rules.reduce((at, rule) => rule(at), from);
const any =
  (...rules: Rule[]): Rule =>
  (from) => {
    const to = state();
    for (const rule of rules) {
      const start = state();
      empty[from].push(start);
      empty[rule(start)].push(to);
    }
    return to;
  };
const star =
  (rule: Rule): Rule =>
  (from) => {
    const loop = state();
    const to = state();
    empty[from].push(loop);
    empty[rule(loop)].push(loop);
    empty[loop].push(to);
    return to;
  };
const plus = (rule: Rule) => seq(rule, star(rule));
const optional = (rule: Rule) => any(rule, (from) => from);
/** WB4: what extends a character belongs to it. */
const ex = (set: SetName) => seq(one(set), star(one("extend")));
const emojiEx = (set: SetName) => seq(one(set), star(one("extendNotPresentation")));

const underscores = star(ex("extendNumLet"));
const numbers = seq(ex("numeric"), star(seq(any(underscores, ex("midNumeric")), ex("numeric"))));
const run = any(
  seq(ex("katakana"), star(seq(underscores, ex("katakana")))),
  plus(
    any(
      seq(ex("hebrew"), any(ex("singleQuote"), seq(ex("doubleQuote"), ex("hebrew")))),
      numbers,
      seq(ex("letter"), star(seq(any(underscores, ex("midLetter")), ex("letter")))),
    ),
  ),
);
const emojiElement = any(
  seq(star(one("zwj")), emojiEx("emojiChar"), optional(one("emojiPresentation"))),
  seq(optional(seq(star(one("zwj")), emojiEx("modifierBase"))), emojiEx("modifier")),
);

/** In the order of their precedence. */
const rules: { type: string; rule: Rule }[] = [
  {
    type: "<EMOJI>",
    rule: any(
      seq(emojiElement, any(star(seq(one("zwj"), emojiElement)), seq(plus(one("tag")), one("tagEnd")))),
      seq(emojiEx("keyCapBase"), optional(one("emojiPresentation")), emojiEx("keyCap")),
      seq(ex("regional"), ex("regional")),
    ),
  },
  { type: "<NUM>", rule: seq(underscores, numbers, underscores) },
  { type: "<HANGUL>", rule: plus(ex("hangul")) },
  { type: "<KATAKANA>", rule: plus(ex("katakana")) },
  { type: "<ALPHANUM>", rule: seq(underscores, run, star(seq(plus(ex("extendNumLet")), run)), underscores) },
  { type: "<SOUTHEAST_ASIAN>", rule: plus(ex("complex")) },
  { type: "<IDEOGRAPHIC>", rule: ex("han") },
  { type: "<HIRAGANA>", rule: ex("hiragana") },
];

const start = state();
const accepts = new Map<number, number>();
rules.forEach(({ rule }, index) => {
  const from = state();
  empty[start].push(from);
  accepts.set(rule(from), index + 1);
});

// ---- deterministic, then minimal

function closure(states: Iterable<number>): number[] {
  const seen = new Set(states);
  for (const s of seen) for (const to of empty[s]) seen.add(to);
  return [...seen].sort((a, b) => a - b);
}
const ids = new Map<string, number>();
const members: number[][] = [];
function deterministic(states: number[]): number {
  const key = states.join();
  let id = ids.get(key);
  if (id === undefined) {
    id = members.push(states) - 1;
    ids.set(key, id);
  }
  return id;
}
deterministic([]); // 0: dead
deterministic(closure([start]));
const next: number[][] = [];
for (let i = 0; i < members.length; i++) {
  next[i] = masks.map((mask) => {
    const to = new Set<number>();
    for (const s of members[i])
      for (const step of steps[s]) if (mask & (1 << setNames.indexOf(step.set))) to.add(step.to);
    return deterministic(closure(to));
  });
}
const accept = members.map((states) => Math.min(99, ...states.map((s) => accepts.get(s) ?? 99)) % 99);

let group = accept.slice();
for (let count = 0; ; ) {
  const found = new Map<string, number>();
  const finer = members.map((_, i) => {
    const key = `${group[i]}:${next[i].map((to) => group[to]).join()}`;
    if (!found.has(key)) found.set(key, found.size);
    return found.get(key) as number;
  });
  group = finer;
  if (found.size === count) break;
  count = found.size;
}
// Numbered from the dead state (0) and the start (1).
const order: number[] = [];
for (let i = 0; i < members.length; i++) if (!order.includes(group[i])) order.push(group[i]);
const representative = order.map((g) => group.indexOf(g));
const table = representative.map((i) => next[i].map((to) => order.indexOf(group[to])));

// ---- written compactly

const runs: string[] = [];
for (let c = 0; c < LIMIT; ) {
  let end = c;
  while (end < LIMIT && classOf[end] === classOf[c]) end++;
  runs.push(`${(end - c).toString(36)}${String.fromCharCode(65 + classOf[c])}`);
  c = end;
}
const wrap = (text: string) => (text.match(/.{1,120}/g) ?? []).map((line) => `  ${JSON.stringify(line)}`).join(" +\n");
const hex = (values: number[]) => values.map((v) => v.toString(16).padStart(2, "0")).join("");
writeFileSync(
  TARGET,
  `/** Made by scripts/build-word-break.ts: the word boundaries and emoji sequences of Unicode 12.1 as an automaton. */

/** Token types by the number in \`ACCEPTED\`. */
export const TYPES: readonly string[] = ${JSON.stringify(["", ...rules.map((r) => r.type)])};

export const CLASS_COUNT = ${masks.length};
export const STATE_COUNT = ${table.length};

/** Runs of code points from 0 on: length in base 36 (digits and small letters), then the class as a character from "A" on. */
export const CLASSES =
${wrap(runs.join(""))};

/** For each state and class the next state, two hexadecimal digits each. State 0 is dead, 1 the start. */
export const TRANSITIONS =
${wrap(table.map(hex).join(""))};

/** For each state the type of the token that ends there, 0 for none, two hexadecimal digits each. */
export const ACCEPTED =
${wrap(hex(representative.map((i) => accept[i])))};
`,
);
process.stdout.write(`${masks.length} classes, ${table.length} states, ${runs.length} runs\n`);
