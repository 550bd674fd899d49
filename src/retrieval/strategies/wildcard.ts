/** `*` and `?` over whole values: `wildcard`. */
import { z } from "zod";
import { TEXT_FIELD } from "../../elasticsearch/layout.ts";
import { InvalidArgumentError } from "../../schema/index.ts";
import { type IndexFields, indexFields } from "./mapping.ts";
import {
  filtered,
  filterQueries,
  isBlank,
  requestStrategy,
  type StrategyCall,
  type StrategyInput,
  type StrategyTarget,
} from "./strategy.ts";

/** Longer patterns make automata that nothing bounds. */
const LONGEST_PATTERN = 1000;

/** The strategy `wildcard`: patterns over whole values. */
export const wildcard = requestStrategy({
  name: "wildcard",
  title: "patterns with * and ? over whole values",
  goodFor: "parts of codes, file names and numbers; what no analyzer cuts out as a word",
  options: z.strictObject({
    field: z
      .string()
      .min(1)
      .optional()
      .describe("a keyword or wildcard field, such as metadata.title.keyword; the text itself where nothing is said"),
    caseInsensitive: z.boolean().default(false).describe("whether ASCII letters match whatever their case"),
    boost: z.number().min(0).default(1).describe("the score of what matches"),
  }),
  async request(target, input, options, call) {
    const pattern = input.query.trim();
    if (isBlank(pattern)) return undefined;
    if (pattern.length > LONGEST_PATTERN) {
      throw new InvalidArgumentError(
        "query",
        `${pattern.slice(0, 60)}…`,
        `a pattern may have ${LONGEST_PATTERN} characters, and this one has ${pattern.length}`,
      );
    }
    const fields = await indexFields(target, input);
    const { field, scanned } = chosenField(fields, options.field);
    tellPattern(pattern, field, scanned, call);
    if (!scanned) await tellIgnored(target, fields, field, input, call);
    const query = {
      wildcard: {
        [field]: {
          value: pattern,
          ...(options.caseInsensitive ? { case_insensitive: true } : {}),
          ...(options.boost === 1 ? {} : { boost: options.boost }),
        },
      },
    };
    return {
      query: filtered(query, filterQueries(call, input)),
      size: call.topK,
      // Without a form that keeps whole values, each passage's text is read.
      ...(scanned ? { runtime_mappings: { [field]: { type: "keyword" as const } } } : {}),
    };
  },
});

/** The form of a field that has whole values. */
function chosenField(fields: IndexFields, named: string | undefined): { field: string; scanned: boolean } {
  const wanted = named ?? TEXT_FIELD;
  const forms = [`${wanted}.wildcard`, `${wanted}.keyword`, wanted];
  const field = forms.find((name) =>
    ["keyword", "wildcard", "constant_keyword"].includes(fields.field(name)?.type ?? ""),
  );
  if (field !== undefined) return { field, scanned: false };
  const type = fields.field(wanted)?.type;
  if (type === "text") return { field: wanted, scanned: true };
  throw new InvalidArgumentError(
    "field",
    wanted,
    type === undefined
      ? `the index has no field "${wanted}": patterns match keyword and wildcard fields, such as metadata.title.keyword`
      : `"${wanted}" is ${type}: patterns match keyword, wildcard and text fields`,
  );
}

function tellPattern(pattern: string, field: string, scanned: boolean, call: StrategyCall): void {
  if (/^[*?]/.test(pattern)) {
    call.warn(
      "leading-wildcard",
      `the pattern begins with ${pattern[0]}: every value of ${field} is looked at, which takes long in a large index`,
    );
  }
  if (!/[*?]/.test(pattern)) {
    call.warn(
      "no-wildcard",
      `the pattern has no * and no ?: only a value that is exactly this matches; try *${pattern}*`,
    );
  }
  if (scanned) {
    call.warn(
      "scan",
      `${field} has no keyword or wildcard subfield: the text of every passage is read. For large collections make one with a wildcard field (openCollection with wildcard: true)`,
    );
  }
}

/** Values that are too long for the field are not in it, which Elasticsearch notes in `_ignored`. */
async function tellIgnored(
  target: StrategyTarget,
  fields: IndexFields,
  field: string,
  input: StrategyInput,
  call: StrategyCall,
): Promise<void> {
  const limit = fields.field(field)?.ignoreAbove;
  if (limit === undefined) return;
  const { count } = await target.client.count(
    // Counted among the passages that may be found: a tenant learns nothing of others.
    {
      index: target.index,
      query: { bool: { filter: [{ term: { _ignored: { value: field } } }, ...filterQueries(call, input)] } },
    },
    input.signal ? { signal: input.signal } : {},
  );
  if (count === 0) return;
  call.warn(
    "ignored-values",
    `${count} passages have a value of more than ${limit} characters in ${field} (ignore_above), and cannot be found this way: a field of the type wildcard keeps values of any length`,
  );
}
