/**
 * `completion`: texts with weights that are suggested by how they begin. Each reading of a text is a term too, with its contexts before it:
 * that is what queries find.
 */
import { readingsAnalyzer, readingsOf, SEPARATOR } from "../../analysis/concatenate-graph.ts";
import { illegalArgument, parsingError } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import type { FieldInfo } from "../../segment/types.ts";
import {
  CONTEXT_END,
  type CompletionContext,
  contextPrefix,
  contextsOfDocument,
  type GivenContexts,
  printContexts,
  readContexts,
  readGivenContexts,
} from "../completion-contexts.ts";
import { completionTerm, MAX_WEIGHT, SUGGESTIONS } from "../completion-term.ts";
import { addAlternatives, addTerm, type DocBuffer } from "../doc-buffer.ts";
import { hashOrder, javaText } from "../java-text.ts";
import type { FieldType } from "../model.ts";
import { booleanParameter, metaParameter, parameter, readInteger } from "../parameters.ts";
import { valuesBy } from "../value-fetcher.ts";
import { isInteger, isStructure, makeField, queryText, tokenName, ValueError } from "./common.ts";
import { analyzerOf, readAnalyzer } from "./text.ts";

type Path = readonly (string | number)[];
interface Input {
  readonly weight: number;
  readonly contexts: GivenContexts;
  readonly path: Path;
  readonly which: "start" | "end";
}
type Inputs = Map<string, Input>;

/** Tokens as Elasticsearch's own parser calls them. */
function tokenOf(value: JsonValue): string {
  const name = tokenName(value);
  if (name.startsWith("VALUE_NUMBER")) return "VALUE_NUMBER";
  return name === "VALUE_TRUE" || name === "VALUE_FALSE" ? "VALUE_BOOLEAN" : name;
}

const failed = (reason: string, path: Path, which: "start" | "key" | "end" = "start") =>
  new ValueError(illegalArgument(reason), { path, which, aboutField: false });

function weightOf(value: JsonValue, path: Path): number {
  let weight: bigint;
  if (typeof value === "string") {
    const long = /^[+-]?\d+$/.test(value) ? BigInt(value.replace("+", "")) : undefined;
    if (long === undefined || BigInt.asIntN(64, long) !== long) {
      throw failed(`weight must be an integer, but was [${value}]`, path);
    }
    weight = long;
  } else if (tokenOf(value) === "VALUE_NUMBER") {
    const text = javaText(value);
    if (!isInteger(value) || BigInt.asIntN(64, BigInt(text)) !== BigInt(text)) {
      throw failed(`weight must be an integer, but was [${text}]`, path);
    }
    weight = BigInt(text);
  } else throw failed(`weight must be a number or string, but was [${tokenOf(value)}]`, path);
  if (weight < 0n || weight > BigInt(MAX_WEIGHT)) {
    throw failed(`weight must be in the interval [0..${MAX_WEIGHT}], but was [${weight}]`, path);
  }
  return Number(weight);
}

function inputsOf(value: JsonValue, path: Path): readonly string[] {
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) throw failed(`input must be a string or array, but was [${tokenOf(value)}]`, path);
  return value.map((item, i) => {
    if (typeof item === "string") return item;
    throw failed(`input array must have string values, but was [${tokenOf(item)}]`, [...path, i]);
  });
}

const NO_CONTEXTS: GivenContexts = new Map();

/** Of one input that comes twice the larger weight counts. */
function readInputs(
  value: JsonValue,
  path: Path,
  field: string,
  contexts: readonly CompletionContext[],
  inputs: Inputs,
): void {
  if (typeof value === "string") {
    inputs.set(value, { weight: 1, contexts: NO_CONTEXTS, path, which: "start" });
    return;
  }
  if (!isStructure(value) || Array.isArray(value)) {
    const reason = `failed to parse [{name}]: expected text or object, but got ${tokenOf(value)}`;
    throw new ValueError(parsingError(reason), { path, aboutField: false, located: true });
  }
  const object = value as JsonObject;
  let texts: readonly string[] = [];
  let weight = 1;
  let given = NO_CONTEXTS;
  for (const key of Object.keys(object)) {
    const at = [...path, key];
    if (key === "input") texts = [...texts, ...inputsOf(object[key], at)];
    else if (key === "weight") weight = weightOf(object[key], at);
    else if (key === "contexts") {
      if (contexts.length === 0) throw failed(`contexts field is not supported for field: [${field}]`, at);
      given = readGivenContexts(object[key], at, contexts, tokenOf);
    } else throw failed(`unknown field name [${key}], must be one of [contexts, weight, input]`, at, "key");
  }
  for (const text of texts) {
    if ((inputs.get(text)?.weight ?? -1) < weight) inputs.set(text, { weight, contexts: given, path, which: "end" });
  }
}

/** Characters that keep what is indexed apart. */
const RESERVED = /[\u0000\u001e\u001f]/;

function checkReserved(input: string, path: Path, which: "start" | "end", hasContexts: boolean): void {
  const end = hasContexts ? input.indexOf(CONTEXT_END) : -1;
  if (end >= 0) {
    const reason = `Illegal value [${input}] UTF-16 codepoint [0x1d] at position ${end} is a reserved character`;
    throw failed(reason, path, which);
  }
  const at = input.search(RESERVED);
  if (at < 0) return;
  const code = input.charCodeAt(at).toString(16);
  const reason = `Illegal input [${input}] UTF-16 codepoint [0x${code}] at position ${at} is a reserved character`;
  throw failed(reason, path, which);
}

/** Elasticsearch's map of inputs begins with two buckets. */
const inOrder = (inputs: Inputs): string[] => hashOrder([...inputs.keys()], 2);

/** Types of fields over a completion's that are given its input with the weight; most of them cannot read that. */
const WHOLE = new Set(
  "completion long integer short byte double float half_float unsigned_long boolean geo_point flattened".split(" "),
);

/** A cut between the halves of a character comes behind it. */
function truncated(input: string, most: number): string {
  if (input.length <= most) return input;
  const unit = input.charCodeAt(most - 1);
  return input.slice(0, unit >= 0xd800 && unit < 0xdc00 ? most + 1 : most);
}

interface Context {
  readonly which: number;
  readonly value: string;
}

/** The contexts that a completion is in: those of the document's fields and its own. */
function contextsOf(
  doc: DocBuffer,
  field: string,
  contexts: readonly CompletionContext[],
  given: GivenContexts,
): readonly Context[] {
  const found = contexts.flatMap((context, which) => {
    const values = new Set([...contextsOfDocument(doc, context), ...(given.get(context.name) ?? [])]);
    return [...values].map((value) => ({ which, value }));
  });
  if (found.length > 0) return found;
  throw illegalArgument(`Contexts are mandatory in context enabled completion field [${field}]`);
}

export const completionType: FieldType = {
  type: "completion",
  parameters: [
    parameter("analyzer", "simple", readAnalyzer, { always: () => true }),
    parameter("search_analyzer", (get) => get("analyzer") as string, readAnalyzer, { updateable: true }),
    booleanParameter("preserve_separators", true, { always: () => true }),
    booleanParameter("preserve_position_increments", true, { always: () => true }),
    parameter(
      "max_input_length",
      50,
      (value) => {
        const length = readInteger(value);
        if (length <= 0) throw illegalArgument(`[max_input_length] must be > 0 but was [${length}]`);
        return length;
      },
      { updateable: true, always: () => true },
    ),
    parameter<readonly CompletionContext[]>("contexts", [], readContexts, { print: printContexts }),
    metaParameter,
  ],
  create: (options) => {
    const { get, path, context } = options;
    const analyzer = analyzerOf(get("analyzer"), context);
    const graph = {
      preserveSeparators: get<boolean>("preserve_separators"),
      preservePositions: get<boolean>("preserve_position_increments"),
    };
    const most = get<number>("max_input_length");
    const contexts = get<readonly CompletionContext[]>("contexts");
    const info: FieldInfo = { name: path, index: "positions", norms: true, docValues: "none", points: "none" };
    const suggestions: FieldInfo = { ...info, name: `${path}${SUGGESTIONS}`, index: "docs", norms: false };
    const searchAnalyzer = analyzerOf(get("search_analyzer"), context);
    const read = (value: JsonValue): Inputs => {
      const inputs: Inputs = new Map();
      if (Array.isArray(value)) for (const [i, item] of value.entries()) readInputs(item, [i], path, contexts, inputs);
      else readInputs(value, [], path, contexts, inputs);
      return inputs;
    };
    return makeField({
      options,
      type: "completion",
      family: "opaque",
      info,
      indexed: true,
      hasDocValues: false,
      existsBy: "_field_names",
      namesIgnored: true,
      takesStructures: true,
      searchAnalyzer: readingsAnalyzer(searchAnalyzer, graph),
      searchQuoteAnalyzer: readingsAnalyzer(searchAnalyzer, graph),
      completion: { ...graph, contexts, searchAnalyzer },
      // Each input by itself, for other completions with its weight. Null has none, whatever it stands for in those fields.
      valuesOfFields: (value, type) => {
        if (value === null) return [];
        const inputs = read(value);
        const whole = WHOLE.has(type);
        return inOrder(inputs).map((input) => (whole ? { input, weight: inputs.get(input)!.weight } : input));
      },
      addValue: (doc, value) => {
        const inputs = read(value);
        let blank = false;
        for (const input of inOrder(inputs)) {
          const { weight, contexts: given, path: place, which } = inputs.get(input)!;
          // Java's trim.
          if (/^[\u0000- ]*$/.test(input)) {
            blank = true;
            continue;
          }
          const text = truncated(input, most);
          checkReserved(text, place, which, contexts.length > 0);
          const readings = readingsOf(analyzer, text, graph);
          const suggest = (key: string) => {
            const place = doc.terms?.get(suggestions)?.length ?? 0;
            addTerm(doc, suggestions, completionTerm({ key, weight, text, place }));
          };
          if (contexts.length === 0) {
            readings.forEach(suggest);
            addAlternatives(doc, info, readings, analyzer.positionIncrementGap);
            continue;
          }
          // The document's other fields can be contexts too: they are read when all are there.
          (doc.later ??= []).push(() => {
            const found = contextsOf(doc, path, contexts, given);
            const separator = CONTEXT_END + (graph.preserveSeparators ? SEPARATOR : "");
            const terms = found.flatMap(({ which, value }) => {
              for (const key of readings) suggest(contextPrefix(which, value) + CONTEXT_END + key);
              return readings.map((key) => String.fromCharCode(which) + value + separator + key);
            });
            addAlternatives(doc, info, terms, analyzer.positionIncrementGap);
          });
        }
        return blank;
      },
      termValue: queryText,
      rangeBound: queryText,
      valueFetcher: valuesBy(path, "completion", (value) => value),
    });
  },
};
