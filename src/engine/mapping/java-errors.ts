/** What Java says where a value is of another class than was expected: part of Elasticsearch's answers. */
import { EngineError } from "../errors.ts";
import { JsonNumber, type JsonValue } from "../json/types.ts";

/** The class that a value of JSON has in Elasticsearch. */
export function javaClassOf(value: JsonValue): string {
  if (typeof value === "string") return "java.lang.String";
  if (typeof value === "boolean") return "java.lang.Boolean";
  if (Array.isArray(value)) return "java.util.ArrayList";
  if (value instanceof JsonNumber) return value.integer ? "java.math.BigInteger" : "java.lang.Double";
  if (typeof value !== "number") return "java.util.HashMap";
  if (!Number.isInteger(value)) return "java.lang.Double";
  return Math.abs(value) < 2 ** 31 ? "java.lang.Integer" : "java.lang.Long";
}

/** @param wanted a class of `java.util` */
export function classCast(value: JsonValue, wanted: string): EngineError {
  const [own, other] = [javaClassOf(value), `java.util.${wanted}`];
  const where = `(${own} and ${other} are in module java.base of loader 'bootstrap')`;
  return new EngineError("class_cast_exception", `class ${own} cannot be cast to class ${other} ${where}`, {
    status: 500,
  });
}
