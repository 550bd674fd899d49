/** `subobjects` of objects: whether there are objects in them, and what becomes of those that are declared where there are none. */
import { EngineError, illegalArgument, mapperParsing, unsupported } from "../errors.ts";
import type { JsonObject } from "../json/types.ts";
import { javaText } from "./java-text.ts";
import type { Dynamic, Node, ObjectNode } from "./model.ts";

/** @returns undefined where nothing is said */
export function readSubobjects(json: JsonObject, place: ObjectNode): boolean | undefined {
  const value = json["subobjects"];
  if (value === undefined || value === null) return undefined;
  if (place.nested) throw mapperParsing(`Nested type [${place.name}] does not support [subobjects] parameter`);
  const text = javaText(value);
  if (text === "auto") throw unsupported("subobjects [auto]");
  if (text !== "true" && text !== "false") {
    throw new EngineError("parse_exception", `unknown subobjects value: ${text}`);
  }
  return text === "true";
}

/** The fields of an object in one without objects, under their whole names (ObjectMapper.asFlattenedFieldMappers). */
export function flattened(object: ObjectNode, name: string, dynamic: Dynamic | undefined): Node[] {
  const because = (what: string) =>
    illegalArgument(
      `Object mapper [${name}] was found in a context where subobjects is set to false. Auto-flattening [${name}] failed because the value of ${what}`,
    );
  const around = dynamic ?? "true";
  if (object.dynamic !== undefined && object.dynamic !== around) {
    const [own, outer] = [object.dynamic.toUpperCase(), around.toUpperCase()];
    throw because(`[dynamic] (${own}) is not compatible with the value from its parent context (${outer})`);
  }
  if (!object.enabled) throw because("[enabled] is [false]");
  if (object.subobjectsSet && object.subobjects) throw because("[subobjects] is [true]");
  return [...object.children.values()].flatMap((child) => {
    const full = `${name}.${child.name}`;
    return child.kind === "object" ? flattened(child, full, dynamic) : [{ ...child, name: full }];
  });
}
