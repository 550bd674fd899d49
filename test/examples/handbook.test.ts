// The example corpus has to keep its own promises, because evaluations and examples are built on it.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

const root = new URL("../../examples/handbook/", import.meta.url);
const languages = ["zh", "en"] as const;
type Language = (typeof languages)[number];

const levels: Record<Language, string[]> = {
  zh: ["员工", "经理", "高管", "全员"],
  en: ["employee", "manager", "executive", "everyone"],
};
const departments: Record<Language, string[]> = {
  zh: ["人力资源部", "财务部", "行政部", "法务部", "工会"],
  en: ["Human Resources", "Finance", "Administration", "Legal", "Labour Union"],
};
const questionsOfKind: [kinds: string[], count: number][] = [
  [["direct"], 20],
  [["synonym", "colloquial"], 12],
  [["misspelt"], 6],
  [["number"], 8],
  [["negation"], 6],
  [["two-sections"], 8],
];

interface Section {
  id: string;
  meta: Record<string, unknown>;
  headings: string[];
  body: string;
}

interface Question {
  id: string;
  lang: Language;
  question: string;
  sections: string[];
  kind: string;
  answer: string;
}

function readSection(lang: Language, file: string): Section {
  const text = readFileSync(new URL(`${lang}/${file}`, root), "utf8");
  const [, frontMatter, markdown] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
  if (frontMatter === undefined || markdown === undefined) throw new Error(`${lang}/${file} has no front matter`);
  const lines = markdown.split("\n");
  return {
    id: file.replace(/\.md$/, ""),
    meta: parse(frontMatter) as Record<string, unknown>,
    headings: lines.filter((line) => line.startsWith("#")),
    body: lines.filter((line) => !line.startsWith("#")).join("\n"),
  };
}

const sections = {
  zh: readdirSync(new URL("zh/", root)).map((file) => readSection("zh", file)),
  en: readdirSync(new URL("en/", root)).map((file) => readSection("en", file)),
};
const questions = readFileSync(new URL("questions.jsonl", root), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Question);

/** Chinese characters, or words separated by white space. */
function lengthOf(lang: Language, text: string): number {
  return lang === "zh" ? (text.match(/\p{Script=Han}/gu) ?? []).length : text.trim().split(/\s+/).length;
}

describe("handbook sections", () => {
  test("are the same in both languages", () => {
    const ids = (lang: Language) => sections[lang].map((section) => section.id).sort();
    expect(ids("zh")).toEqual(ids("en"));
    expect(sections.zh.length).toBeGreaterThanOrEqual(38);
  });

  test("have the same effective date in both languages", () => {
    const dates = (lang: Language) => Object.fromEntries(sections[lang].map(({ id, meta }) => [id, meta["effective"]]));
    expect(dates("zh")).toEqual(dates("en"));
  });

  test.each(languages)("pair each category, level and department with one in the other language (%s)", (lang) => {
    const other = lang === "zh" ? "en" : "zh";
    for (const key of ["category", "level", "department"]) {
      const partner = new Map<unknown, unknown>();
      for (const section of sections[lang]) {
        const value = sections[other].find(({ id }) => id === section.id)?.meta[key];
        const known = partner.get(section.meta[key]) ?? value;
        expect(value, `${key} of ${section.id}`).toBe(known);
        partner.set(section.meta[key], known);
      }
    }
  });

  describe.each(languages)("in %s", (lang) => {
    test.each(sections[lang])("$id has complete front matter", ({ id, meta, headings }) => {
      expect(Object.keys(meta)).toEqual(["id", "title", "category", "level", "effective", "department"]);
      expect(meta["id"]).toBe(id);
      expect(headings).toEqual([`# ${meta["title"]}`]);
      expect(meta["category"]).toMatch(/\S/);
      expect(levels[lang]).toContain(meta["level"]);
      expect(departments[lang]).toContain(meta["department"]);
      const effective = String(meta["effective"]);
      expect(effective).toMatch(/^202[1-5]-\d\d-\d\d$/);
      expect(new Date(`${effective}T00:00:00Z`).toISOString().slice(0, 10)).toBe(effective);
    });

    test.each(sections[lang])("$id is a short section", ({ body }) => {
      const [least, most] = lang === "zh" ? [150, 400] : [80, 250];
      expect(lengthOf(lang, body)).toBeGreaterThanOrEqual(least);
      expect(lengthOf(lang, body)).toBeLessThanOrEqual(most);
    });

    test("are written for every level and kept by every department", () => {
      expect(new Set(sections[lang].map(({ meta }) => meta["level"]))).toEqual(new Set(levels[lang]));
      expect(new Set(sections[lang].map(({ meta }) => meta["department"]))).toEqual(new Set(departments[lang]));
    });
  });
});

describe("handbook questions", () => {
  test("have ids and wordings of their own", () => {
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
    expect(new Set(questions.map(({ question }) => question)).size).toBe(questions.length);
  });

  describe.each(languages)("in %s", (lang) => {
    const own = questions.filter((question) => question.lang === lang);
    const known = new Set(sections[lang].map(({ id }) => id));

    test("are sixty, numbered in order", () => {
      expect(own.map(({ id }) => id)).toEqual(
        Array.from({ length: 60 }, (_, i) => `${lang}-${String(i + 1).padStart(2, "0")}`),
      );
    });

    test.each(questionsOfKind)("of kind %j are %i", (kinds, count) => {
      expect(own.filter(({ kind }) => kinds.includes(kind))).toHaveLength(count);
    });

    test.each(own)("$id names sections that exist", (question) => {
      expect(Object.keys(question)).toEqual(["id", "lang", "question", "sections", "kind", "answer"]);
      expect(question.sections).toHaveLength(question.kind === "two-sections" ? 2 : 1);
      expect(new Set(question.sections).size).toBe(question.sections.length);
      for (const section of question.sections) expect(known).toContain(section);
      expect(question.question).toMatch(/\S/);
      expect(question.answer).toMatch(/\S/);
    });

    test("ask about every section", () => {
      expect(new Set(own.flatMap((question) => question.sections))).toEqual(known);
    });
  });
});
