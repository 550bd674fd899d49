/** `indices_boost`: a list of objects with one name each. */
import type { EngineError } from "../../../errors.ts";
import { parsingError } from "../../../errors.ts";
import { type Location, positionOf } from "../../../json/parse.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../../../json/types.ts";
import { errorAt, isObject, tokenName } from "../../../query/dsl/read.ts";
import type { RequestFeature } from "./types.ts";

const isNumber = (value: JsonValue) => typeof value === "number" || value instanceof JsonNumber;

function readEntry(list: readonly JsonValue[], i: number): readonly [string, number] {
  const entry = list[i];
  if (!isObject(entry)) {
    throw errorAt(list, { value: i }, `Expected [START_OBJECT] in [null] but found [${tokenName(entry)}]`);
  }
  const [name, second] = Object.keys(entry);
  if (name === undefined) throw emptyEntry(positionOf(list, { value: i }));
  if (!isNumber(entry[name])) {
    const found = tokenName(entry[name]);
    throw errorAt(entry, { value: name }, `Expected [VALUE_NUMBER] in [indices_boost] but found [${found}]`);
  }
  if (second !== undefined) {
    throw errorAt(entry, { key: second }, "Expected [END_OBJECT] in [indices_boost] but found [FIELD_NAME]");
  }
  return [name, Math.fround(Number(String(entry[name])))];
}

function emptyEntry(place: Location | undefined): EngineError {
  const reason = "Expected [FIELD_NAME] in [indices_boost] but found [END_OBJECT]";
  return parsingError(reason, place ? { metadata: { line: place.line, col: place.col + 1 } } : {});
}

export const boostKeys: RequestFeature = {
  keys: {
    indices_boost: {
      kinds: ["list"],
      read(body: JsonObject, key, draft) {
        const list = body[key] as readonly JsonValue[];
        draft.indicesBoost = list.map((_, i) => readEntry(list, i));
      },
    },
  },
};
