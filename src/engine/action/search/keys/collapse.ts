/** `collapse`. */
import { illegalArgument } from "../../../errors.ts";
import { JsonNumber, type JsonObject } from "../../../json/types.ts";
import { parseHitOptions } from "../../../query/dsl/index.ts";
import {
  contentError,
  errorAt,
  inField,
  isArray,
  isObject,
  located,
  readInt,
  wrongKind,
} from "../../../query/dsl/read.ts";
import { suggestion } from "../../../query/dsl/suggestion.ts";
import type { DraftCollapse, GroupHits } from "../collapsing.ts";
import type { RequestFeature } from "./types.ts";

const PARSER = "collapse";
const KEYS = ["field", "inner_hits", "max_concurrent_group_searches"];

/** What is shown of its hits is read when all features are known. */
type Group = Omit<GroupHits, "shown">;

function readCollapse(json: JsonObject): DraftCollapse {
  let field: string | undefined;
  let groupHits: Group[] = [];
  for (const key of Object.keys(json)) {
    const value = json[key];
    if (!KEYS.includes(key)) {
      const error = contentError(json, { key }, `[${PARSER}] unknown field [${key}]${suggestion(key, KEYS)}`);
      throw located(error, json, { value: key });
    }
    if (key === "field") {
      if (typeof value !== "string") throw wrongKind(PARSER, json, key);
      inField(PARSER, json, key, () => {
        if (value === "") throw illegalArgument("field name is null or empty");
      });
      field = value;
    } else if (key === "inner_hits") {
      if (!isObject(value) && !isArray(value)) throw wrongKind(PARSER, json, key);
      groupHits = inField(PARSER, json, key, () => readGroupHits(json));
    } else {
      const number = typeof value === "number" || value instanceof JsonNumber || typeof value === "string";
      if (!number) throw wrongKind(PARSER, json, key);
      // Groups are searched one after the other.
      inField(PARSER, json, key, () => {
        if (readInt(value) < 1) throw illegalArgument("maxConcurrentGroupRequests` must be positive");
      });
    }
  }
  return { field, groupHits };
}

function readGroupHits(json: JsonObject): Group[] {
  const value = json["inner_hits"];
  if (isObject(value)) return [readOne(value)];
  return (value as readonly JsonObject[]).map((item, at, list) => {
    if (!isObject(item)) throw errorAt(list, { value: at }, "Invalid token in inner_hits array");
    return readOne(item);
  });
}

function readOne(json: JsonObject): Group {
  const hits = parseHitOptions(json);
  const collapse = json["collapse"];
  const field =
    collapse === undefined
      ? undefined
      : inField("inner_hits", json, "collapse", () => innerField(collapse as JsonObject));
  if (hits.name === undefined) {
    const error = illegalArgument("inner_hits must have a [name]; set the [name] field in the inner_hits definition");
    throw located(error, json, "end");
  }
  return { name: hits.name, hits, ...(field === undefined ? {} : { collapse: { field, groupHits: [] } }) };
}

/** A collapse within a group has a field and nothing else. */
function innerField(json: JsonObject): string {
  let field: string | undefined;
  for (const key of Object.keys(json)) {
    const value = json[key];
    if (key !== "field") throw errorAt(json, { key }, "Invalid token in the inner collapse");
    if (typeof value !== "string") throw errorAt(json, { value: key }, "Invalid token in the inner collapse");
    field = value;
  }
  if (field === undefined) throw illegalArgument("field name is null or empty");
  return field;
}

export const collapseKeys: RequestFeature = {
  keys: {
    collapse: {
      kinds: ["object"],
      read(body, key, draft) {
        draft.collapse = readCollapse(body[key] as JsonObject);
      },
    },
  },
};
