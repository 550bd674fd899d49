/** `fuzziness`: how many edits a term may be away, a number or by the term's length. */
import { EngineError, illegalArgument } from "../../errors.ts";
import { JsonNumber, type JsonValue } from "../../json/types.ts";
import { numberFormat, parseJavaDouble } from "../../mapping/java-numbers.ts";
import { codePointsOf } from "../automaton/automaton.ts";
import { readInt, textOf, tokenName } from "./read.ts";

/** A number of edits, or the lengths from which one and two are allowed. */
export type Fuzziness = { readonly edits: number } | { readonly low: number; readonly high: number };

export const AUTO: Fuzziness = { low: 3, high: 6 };

/** @throws illegal_argument_exception, or parse_exception for lengths, with Elasticsearch's words */
export function parseFuzziness(value: JsonValue): Fuzziness {
  const text = textOf(value);
  if (text === undefined || typeof value === "boolean") {
    throw illegalArgument(`Can't parse fuzziness on token: [${tokenName(value)}]`);
  }
  if (typeof value === "number" || value instanceof JsonNumber) return { edits: checkedEdits(readInt(value)) };
  if (text === "") throw illegalArgument("fuzziness cannot be null or empty.");
  const upper = text.toUpperCase();
  if (upper === "AUTO") return AUTO;
  if (upper.startsWith("AUTO:")) return autoLengths(upper);
  if (/^[+-]?\d+$/.test(text)) return { edits: checkedEdits(Number(text)) };
  const number = floatOf(upper);
  if (number === undefined) {
    throw illegalArgument(`fuzziness cannot be [${text}].`, { cause: numberFormat(`For input string: "${upper}"`) });
  }
  if (number === 0 || number === 1 || number === 2) return { edits: number };
  throw illegalArgument(`fuzziness needs to be one of 0.0, 1.0 or 2.0 but was ${number}`);
}

function floatOf(text: string): number | undefined {
  try {
    return parseJavaDouble(text);
  } catch {
    return undefined;
  }
}

function checkedEdits(number: number): number {
  if (number === 0 || number === 1 || number === 2) return number;
  throw illegalArgument(`Valid edit distances are [0, 1, 2] but was [${number}]`);
}

/** `AUTO:low,high` in capitals */
function autoLengths(text: string): Fuzziness {
  // Java's split drops what is empty at the end.
  const parts = text.slice(5).replace(/,+$/, "").split(",");
  if (parts.length !== 2) throw parseError("failed to find low and high distance values");
  const [low, high] = parts.map((part) => {
    const number = /^[+-]?\d+$/.test(part) ? Number(part) : Number.NaN;
    if (number >= -(2 ** 31) && number < 2 ** 31) return number;
    throw parseError(`failed to parse [${text}] as a "auto:int,int"`, numberFormat(`For input string: "${part}"`));
  });
  if (low < 0 || high < 0 || low > high) {
    throw parseError(`fuzziness wrongly configured [${text}]. Must be 0 < lower value <= higher value.`);
  }
  return { low, high };
}

const parseError = (reason: string, cause?: EngineError) =>
  new EngineError("parse_exception", reason, cause ? { cause } : {});

/** Edits that a term may be away. */
export function maxEdits(fuzziness: Fuzziness, term: string): number {
  if ("edits" in fuzziness) return fuzziness.edits;
  const length = codePointsOf(term).length;
  if (length < fuzziness.low) return 0;
  return length < fuzziness.high ? 1 : 2;
}
