/** The object `highlight` of a search (HighlightBuilder): its options, and those of its fields, which win. */
import { EngineError, illegalArgument, unsupported } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import { parseInnerQuery, type QueryBuilder } from "../query/dsl/index.ts";
import {
  contentError,
  errorAt,
  inField,
  isArray,
  isObject,
  located,
  readBoolean,
  readInt,
  textOf,
  tokenName,
  wrongKind,
} from "../query/dsl/read.ts";
import { suggestion } from "../query/dsl/suggestion.ts";
import {
  type BoundaryScanner,
  DEFAULT_OPTIONS,
  type HighlightField,
  type HighlightOptions,
  type HighlightRequest,
  STYLED_TAGS,
} from "./options.ts";

type Draft = { -readonly [K in keyof HighlightOptions]?: HighlightOptions[K] };

interface Reader {
  /** Whether the key takes such a value. */
  readonly takes: (value: JsonValue) => boolean;
  readonly read: (draft: Draft, json: JsonObject, key: string) => void;
}

const isText = (value: JsonValue) => typeof value === "string";
const isNumber = (value: JsonValue) => isText(value) || (typeof value !== "boolean" && textOf(value) !== undefined);

function text(set: (draft: Draft, value: string) => void): Reader {
  return { takes: isText, read: (draft, json, key) => set(draft, json[key] as string) };
}

/** A number; −1 is none (SearchHighlightContext.FieldOptions). */
function int(set: (draft: Draft, value: number) => void): Reader {
  return {
    takes: isNumber,
    read(draft, json, key) {
      const value = readInt(json[key], json, key);
      if (value !== -1 || key === "max_analyzed_offset") set(draft, value);
    },
  };
}

function flag(set: (draft: Draft, value: boolean) => void): Reader {
  const takes = (value: JsonValue) => typeof value === "boolean" || isText(value);
  return { takes, read: (draft, json, key) => set(draft, readBoolean(json[key])) };
}

function texts(set: (draft: Draft, value: readonly string[]) => void): Reader {
  const takes = (value: JsonValue) => isArray(value) || isText(value);
  return {
    takes,
    read(draft, json, key) {
      const value = json[key];
      const list = isArray(value) ? value : [value];
      set(
        draft,
        list.map((item) => {
          const read = textOf(item);
          if (read === undefined) throw illegalArgument(`Can't get text on a ${tokenName(item)}`);
          return read;
        }),
      );
    },
  };
}

const SCANNERS: readonly string[] = ["chars", "word", "sentence"];
const SCANNER_ENUM = "org.elasticsearch.search.fetch.subphase.highlight.HighlightBuilder.BoundaryScannerType";

const COMMON: Readonly<Record<string, Reader>> = {
  pre_tags: texts((draft, tags) => {
    draft.preTags = tags;
  }),
  post_tags: texts((draft, tags) => {
    draft.postTags = tags;
  }),
  order: text((draft, order) => {
    draft.scoreOrdered = order.toUpperCase() === "SCORE";
  }),
  // Read by no highlighter.
  highlight_filter: flag(() => {}),
  options: { takes: isObject, read: () => {} },
  fragment_size: int((draft, size) => {
    draft.fragmentSize = size;
  }),
  number_of_fragments: int((draft, number) => {
    draft.numberOfFragments = number;
  }),
  encoder: text((draft, encoder) => {
    draft.encoder = encoder;
  }),
  tags_schema: text((draft, schema) => {
    if (schema === "styled") Object.assign(draft, STYLED_TAGS);
    else if (schema === "default") {
      const { preTags, postTags } = DEFAULT_OPTIONS;
      Object.assign(draft, { preTags, postTags });
    } else throw illegalArgument(`Unknown tag schema [${schema}]`);
  }),
  require_field_match: flag((draft, required) => {
    draft.requireFieldMatch = required;
  }),
  boundary_scanner: text((draft, name) => {
    if (!SCANNERS.includes(name.toLowerCase())) {
      throw illegalArgument(`No enum constant ${SCANNER_ENUM}.${name.toUpperCase()}`);
    }
    draft.boundaryScanner = name.toLowerCase() as BoundaryScanner;
  }),
  boundary_max_scan: int((draft, most) => {
    draft.boundaryMaxScan = most;
  }),
  boundary_chars: text((draft, chars) => {
    draft.boundaryChars = chars;
  }),
  boundary_scanner_locale: text((draft, locale) => {
    // Java cuts Thai by a dictionary.
    if (/^th\b/i.test(locale)) throw unsupported(`boundary_scanner_locale ${locale}`);
    draft.boundaryScannerLocale = locale;
  }),
  type: text((draft, type) => {
    draft.type = type;
  }),
  fragmenter: text((draft, fragmenter) => {
    draft.fragmenter = fragmenter;
  }),
  no_match_size: int((draft, size) => {
    draft.noMatchSize = size;
  }),
  phrase_limit: int((draft, most) => {
    draft.phraseLimit = most;
  }),
  max_analyzed_offset: int((draft, offset) => {
    if (offset <= 0) throw illegalArgument("[max_analyzed_offset] must be a positive integer");
    draft.maxAnalyzedOffset = offset;
  }),
  highlight_query: {
    takes: isObject,
    read(draft, json, key) {
      draft.highlightQuery = parseInnerQuery(json, key, 1);
    },
  },
};

const FIELD: Readonly<Record<string, Reader>> = {
  ...COMMON,
  fragment_offset: int((draft, offset) => {
    draft.fragmentOffset = offset;
  }),
  matched_fields: texts((draft, fields) => {
    draft.matchedFields = fields;
  }),
};

const FIELDS = "fields";

export function parseHighlight(json: JsonObject): HighlightRequest {
  const common: Draft = {};
  const fields: { name: string; options: Draft }[] = [];
  readObject("highlight", json, common, {
    ...COMMON,
    [FIELDS]: {
      takes: (value) => isObject(value) || isArray(value),
      read: () => void fields.push(...readFields(json)),
    },
  });
  const merged = fields.map(({ name, options }): HighlightField => {
    return { name, options: { ...DEFAULT_OPTIONS, ...common, ...options } };
  });
  const queries = [common, ...fields.map(({ options }) => options)].map(({ highlightQuery }) => highlightQuery);
  return { fields: merged, queries: queries.filter((query): query is QueryBuilder => query !== undefined) };
}

function readFields(json: JsonObject): { name: string; options: Draft }[] {
  const value = json[FIELDS];
  if (!isArray(value)) {
    const fields = value as JsonObject;
    return Object.keys(fields).map((name) => readField(fields, name));
  }
  const reason = `[${FIELDS}] can be a single object with any number of fields or an array where each entry is an object with a single field`;
  return value.map((item, i) => {
    if (!isObject(item)) throw contentError(value, { value: i }, reason);
    const [name, second] = Object.keys(item);
    if (name === undefined) throw contentError(item, "end", reason);
    const field = readField(item, name);
    if (second !== undefined) throw contentError(item, { key: second }, reason);
    return field;
  });
}

function readField(fields: JsonObject, name: string): { name: string; options: Draft } {
  return inField(FIELDS, fields, name, () => {
    const json = fields[name];
    if (!isObject(json)) {
      throw contentError(
        fields,
        { value: name },
        `[highlight_field] Expected START_OBJECT but was: ${tokenName(json)}`,
      );
    }
    const options: Draft = {};
    readObject("highlight_field", json, options, FIELD);
    return { name, options };
  });
}

function readObject(what: string, json: JsonObject, draft: Draft, readers: Readonly<Record<string, Reader>>): void {
  for (const key of Object.keys(json)) {
    const reader = Object.hasOwn(readers, key) ? readers[key] : undefined;
    if (reader === undefined) throw unknownKey(what, json, key, Object.keys(readers));
    if (!reader.takes(json[key])) throw wrongKind(what, json, key);
    inField(what, json, key, () => reader.read(draft, json, key));
  }
  const { preTags, postTags } = draft;
  if (preTags && !postTags) throw errorAt(json, "end", "pre_tags are set but post_tags are not set");
  if (preTags && postTags && (preTags.length === 0 || postTags.length === 0)) {
    throw errorAt(json, "end", "pre_tags or post_tags must not be empty");
  }
}

function unknownKey(what: string, json: JsonObject, key: string, known: readonly string[]): EngineError {
  if (key === "force_source") {
    const at = contentError(json, { value: key }, "").reason.replace(/\s*$/, "");
    const reason = `deprecated fields not supported in [${what}] but got [force_source] at ${at} which has been deprecated entirely`;
    return new EngineError("unsupported_operation_exception", reason, { status: 500 });
  }
  const error = contentError(json, { key }, `[${what}] unknown field [${key}]${suggestion(key, known)}`);
  // The reader stands at the value by then.
  return located(error, json, { value: key });
}
