/** Random metadata and filters over it; each key holds values of one kind, as an index asks. */
import fc from "fast-check";
import type { FilterOperator, Metadata, MetadataFilter, MetadataFilters } from "../../src/schema/index.ts";

const WORDS = [
  "",
  "a",
  "b",
  "abc",
  "Abc",
  "员工",
  "经理 a",
  "2024-01-01",
  "2024-06-30",
  "x*y",
  "a.b",
  "😀",
  "Élan",
  "élan",
];
const NUMBERS = [0, 1, 2, 3, -1, 0.5, 2.25, 1e9];

const word = fc.constantFrom(...WORDS);
const number = fc.constantFrom(...NUMBERS);
const boolean = fc.boolean();

/** No lists of nothing: an index does not see them, and `all` of nothing would. */
function field<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | T[] | null | undefined> {
  return fc.oneof(
    { weight: 5, arbitrary: value },
    { weight: 2, arbitrary: fc.array(value, { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constantFrom(null, undefined) },
  );
}

export const anyMetadata: fc.Arbitrary<Metadata> = fc
  .record({ level: field(word), note: field(word), days: field(number), rate: field(number), open: field(boolean) })
  .map((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Metadata);

const KEYS = {
  level: { value: word, ranges: true },
  note: { value: word, ranges: true },
  days: { value: number, ranges: true },
  rate: { value: number, ranges: true },
  open: { value: boolean, ranges: false },
  nowhere: { value: word, ranges: true },
} as const;

function operatorsOf(key: keyof typeof KEYS): FilterOperator[] {
  const all: FilterOperator[] = ["==", "!=", "in", "nin", "any", "all", "contains", "is_empty"];
  return [
    ...all,
    ...(KEYS[key].ranges ? ([">", ">=", "<", "<="] as const) : []),
    ...(key === "level" || key === "note" ? (["text_match", "text_match_insensitive"] as const) : []),
  ];
}

const anyFilter: fc.Arbitrary<MetadataFilter> = fc
  .constantFrom(...(Object.keys(KEYS) as (keyof typeof KEYS)[]))
  .chain((key) =>
    fc.constantFrom(...operatorsOf(key)).chain((operator): fc.Arbitrary<MetadataFilter> => {
      const value = KEYS[key].value as fc.Arbitrary<string | number | boolean>;
      if (operator === "is_empty") return fc.constant({ key, operator });
      if (["in", "nin", "any", "all"].includes(operator)) {
        return fc.array(value, { maxLength: 3 }).map((values) => ({ key, operator, value: values }));
      }
      const one = value.map((single) => ({ key, operator, value: single }));
      if (operator !== "==" && operator !== "!=") return one;
      const several = fc
        .array(value, { maxLength: 3 })
        .map((values) => ({ key, operator, value: values }) as MetadataFilter);
      return fc.oneof({ weight: 3, arbitrary: one }, { weight: 1, arbitrary: several });
    }),
  );

export const anyFilters: fc.Arbitrary<MetadataFilters> = fc.letrec<{ list: MetadataFilters }>((tie) => ({
  list: fc.record({
    condition: fc.constantFrom("and", "or", "not"),
    filters: fc.array(fc.oneof({ maxDepth: 3 }, anyFilter, tie("list")), { maxLength: 3 }),
  }),
})).list;
