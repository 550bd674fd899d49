/** Questions that ask for a quantity, and sentences that state one. */
import { porterStem } from "../engine/analysis/filters/porter.ts";

/** What is counted: Han characters and English stems that may follow the number. Empty where the question does not say. */
export type Units = ReadonlySet<string>;

const TIME = ["天", "日", "周", "星", "月", "年", "小", "分", "工", "day", "week", "month", "year", "hour", "minut"];
const MONEY = ["元", "块", "万", "美", "yuan", "dollar", "euro"];
const SHARE = ["%", "％", "percent"];

/** Words that ask for a quantity, and the units of it that go without saying. */
const ASKING: readonly (readonly [RegExp, readonly string[]])[] = [
  [/多久|多长(?:时间)?|\bhow (?:long|soon|late|often)\b|\bhow much (?:time|leave|notice|vacation|holiday)\b/giu, TIME],
  [/多少钱|\bhow much (?:money|does it cost|do|does|is)\b|\bhow expensive\b/iu, MONEY],
  [/百分之[几多]|\b(?:what|which) (?:percentage|share|percent)\b/iu, SHARE],
  [/多[少大高远重]|几|\bhow (?:many|much|old|far|large|big|high|tall|wide|deep|heavy|fast)\b/iu, []],
  [/\b(?:number|amount) of\b/iu, []],
];

/** "几乎" (almost) and "几何" (geometry) ask nothing; what is asked is what follows, a measure word ("个") left out. */
const HAN_UNIT = /(?:几|多少)(?![乎何])个?(\p{Script=Han})/gu;
const ENGLISH_UNITS = /\bhow (?:many|much)\s+((?:[a-z]+[\s,?]*){1,3})/giu;

/** The units of the quantity that a question asks for; undefined when it asks for none. */
export function quantityAsked(question: string): Units | undefined {
  const text = question.normalize("NFKC").replace(/几[乎何]/gu, " ");
  const units = new Set<string>();
  let asks = false;
  for (const [pattern, implied] of ASKING) {
    if (text.search(pattern) < 0) continue;
    asks = true;
    for (const unit of implied) units.add(unit);
  }
  if (!asks) return undefined;
  for (const [, unit] of text.matchAll(HAN_UNIT)) units.add(unit!);
  for (const [, words] of text.toLowerCase().matchAll(ENGLISH_UNITS))
    for (const word of words!.match(/[a-z]+/g) ?? []) units.add(porterStem(word));
  return units;
}

const ENGLISH_NUMBER =
  "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|" +
  "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|once|twice|double";

/** A number and what stands behind it: a sign or Han characters, or up to two words. */
const NUMBER = new RegExp(
  String.raw`(\p{Nd}[\p{Nd}.,]*|[零一二两三四五六七八九十百千万半]+|百分之\S|\b(?:${ENGLISH_NUMBER})\b)(\s*[%％]|个?\p{Script=Han}|(?:[\s-]+[a-z]+){0,2})`,
  "giu",
);

/** From 0 to 1: how well a sentence answers with a number. 1 with a number of what is asked, half of it with any other. */
export function statesQuantity(sentence: string, units: Units): number {
  let best = 0;
  for (const [, number, behind] of sentence.normalize("NFKC").matchAll(NUMBER)) {
    const unit = behind!.trim().toLowerCase();
    const digits = /\p{Nd}/u.test(number!);
    if (unit === "" && !digits) continue;
    const names = /^[a-z-]/.test(unit) ? unit.split(/[\s-]+/).map(porterStem) : [unit.replace(/^个/u, "").charAt(0)];
    if (names.some((name) => units.has(name))) return 1;
    // "One" and "一" are no numbers in most sentences.
    if (digits || !/^(?:one|一)$/i.test(number!)) best = 0.5;
  }
  return best;
}
