/** `index.sort.*`: the order in which the documents of an index stand in its segments (IndexSortConfig). */
import { EngineError, illegalArgument, unsupported } from "../errors.ts";
import type { JsonObject } from "../json/types.ts";
import { checkFielddata } from "../mapping/fielddata.ts";
import type { MappedField, Mapping } from "../mapping/types.ts";
import type { DocSort, DocSortField } from "../segment/index.ts";
import { listSettingOf } from "./settings.ts";

const MODES = ["SUM", "AVG", "MEDIAN", "MIN", "MAX"];

/** @throws Elasticsearch's errors for what does not fit together or is no field to sort by */
export function readDocSort(settings: JsonObject, mapping: Mapping): DocSort | undefined {
  const names = listOf(settings, "field");
  const orders = listOf(settings, "order").map(readOrder);
  const modes = listOf(settings, "mode").map(readMode);
  const missing = listOf(settings, "missing").map(readMissing);
  for (const [key, given] of [
    ["order", orders],
    ["mode", modes],
    ["missing", missing],
  ] as const) {
    if (given.length > 0 && given.length !== names.length) {
      throw illegalArgument(
        `index.sort.field:[${names.join(", ")}] index.sort.${key}:[${given.join(", ")}], size mismatch`,
      );
    }
  }
  if (names.length === 0) return undefined;
  return names.map((name, i): DocSortField => {
    const descending = orders[i] === "desc";
    const field = sortableField(name, mapping);
    return {
      column: field.info.name,
      kind: field.info.docValues === "ordinals" ? "text" : "numbers",
      descending,
      mode: (modes[i] ?? (descending ? "MAX" : "MIN")) === "MAX" ? "max" : "min",
      missingFirst: missing[i] === "_first",
    };
  });
}

const listOf = (settings: JsonObject, key: string): readonly string[] =>
  (listSettingOf(settings, `index.sort.${key}`) ?? []).map((each) => each.trim()).filter((each) => each !== "");

function readOrder(text: string): "asc" | "desc" {
  const order = text.toLowerCase();
  if (order !== "asc" && order !== "desc") throw illegalArgument(`Illegal sort order:${text}`);
  return order;
}

function readMode(text: string): string {
  const mode = text.toUpperCase();
  if (!MODES.includes(mode)) throw illegalArgument(`Illegal sort mode: ${text}`);
  if (mode !== "MIN" && mode !== "MAX") {
    throw illegalArgument(`Illegal index sort mode:[${mode}], must be one of [MAX, MIN]`);
  }
  return mode;
}

function readMissing(text: string): string {
  if (text === "_first" || text === "_last") return text;
  throw illegalArgument(`Illegal missing value:[${text}], must be one of [_last, _first]`);
}

function sortableField(name: string, mapping: Mapping): MappedField {
  const nested = mapping.object(name)?.nested === true ? name : mapping.field(name)?.nestedPath;
  if (nested !== undefined) {
    throw illegalArgument(`cannot apply index sort to field [${name}] under nested object [${nested}]`);
  }
  const field = mapping.field(name);
  if (field === undefined || field.runtime) throw illegalArgument(`unknown index sort field:[${name}]`);
  if (field.name !== name) throw illegalArgument(`Cannot use alias [${name}] as an index sort field`);
  try {
    // Elasticsearch has no name of the index there.
    checkFielddata(field, "");
  } catch (cause) {
    const reason = `docvalues not found for index sort field:[${name}]`;
    throw new EngineError("illegal_argument_exception", reason, { cause: cause as EngineError });
  }
  if (field.type === "geo_point") {
    throw illegalArgument(
      "can't sort on geo_point or point field without using specific sorting feature, like geo_distance",
    );
  }
  if (field.type === "flattened" || field.type === "wildcard" || field.family === "metadata") {
    throw unsupported(`index sort by a field of type [${field.type}]`);
  }
  const sortable =
    ["keyword", "date", "boolean", "ip"].includes(field.family) ||
    (field.family === "number" && field.type !== "half_float" && field.type !== "scaled_float");
  if (!sortable) throw illegalArgument(`invalid index sort field:[${name}]`);
  return field;
}
