/** Places in documents, which are read without them: found by reading the text again. */
import type { Location } from "./location.ts";
import { parseJson, textOf } from "./parse.ts";
import { hasPlace, positionOf } from "./positions.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "./types.ts";

/**
 * Place of a value below a root that `parseJson` returned, found by reading its text again: for errors about documents, which are read
 * without positions.
 *
 * @param path keys and indices from the root
 * @param which the start of the value, its end (the closing bracket of an object or array), or its key
 */
export function positionAt(
  root: object,
  path: readonly (string | number)[],
  which: "start" | "end" | "key",
): Location | undefined {
  let located: JsonValue = root as JsonObject;
  if (!hasPlace(root)) {
    const source = textOf(root);
    if (source === undefined) return undefined;
    located = parseJson(source, { positions: true });
  }
  let parent: JsonValue = located;
  let current: JsonValue = located;
  for (const step of path) {
    if (typeof current !== "object" || current === null) return undefined;
    parent = current;
    current = (current as { [key: string | number]: JsonValue })[step];
  }
  if (which === "end" || path.length === 0) {
    if (typeof current === "object" && current !== null && !(current instanceof JsonNumber)) {
      return positionOf(current, which === "end" ? "end" : "start");
    }
  }
  const last = path[path.length - 1];
  if (typeof parent !== "object" || parent === null || last === undefined) return undefined;
  return positionOf(parent, which === "key" ? { key: String(last) } : { value: last });
}
