/** Names of indices with a date in them, such as `<logs-{now/d{yyyy.MM.dd|+08:00}}>` (DateMathExpressionResolver). */
import { EngineError } from "../errors.ts";
import { dateFormatter } from "../mapping/date/formatter.ts";
import { parseDateMath } from "../mapping/date/math.ts";
import { parseZone, UTC, type Zone } from "../mapping/date/zone.ts";

const DEFAULT_FORMAT = "uuuu.MM.dd";

const wrong = (reason: string) => new EngineError("parse_exception", reason);
const invalid = (text: string, what: string) => wrong(`invalid dynamic name expression [${text}]. ${what}`);

/** The name that an expression stands for; others stay as they are. @throws parse_exception */
export function dateMathName(name: string, now: number = Date.now()): string {
  if (!name.startsWith("<") || !name.endsWith(">")) return name;
  // Errors show what follows the `<`, as Elasticsearch's do.
  const shown = name.slice(1);
  let captured = "";
  let placeholder: string | undefined;
  let inFormat = false;
  let escaped = false;
  for (let at = 1; at < name.length - 1; at++) {
    const char = name[at];
    const literal = escaped;
    escaped = false;
    if (char === "\\") {
      if (literal) captured += char;
      else escaped = true;
    } else if (placeholder === undefined) {
      if (char === "{" && !literal) placeholder = "";
      else if (char === "}" && !literal) {
        const remedy = "`{` and `}` are reserved characters and should be escaped when used as part of the index name";
        throw invalid(shown, `invalid character at position [${at}]. ${remedy} using \`\\\` (e.g. \`\\{text\\}\`)`);
      } else captured += char;
    } else if (char === "{" && !(inFormat && literal)) {
      if (inFormat) throw invalid(shown, `invalid character in placeholder at position [${at}]`);
      inFormat = true;
      placeholder += char;
    } else if (char === "}" && !inFormat) {
      captured += dateOf(placeholder, now);
      placeholder = undefined;
    } else {
      if (char === "}" && !literal) inFormat = false;
      placeholder += char;
    }
  }
  if (placeholder !== undefined) throw invalid(shown, "date math placeholder is open ended");
  if (captured === "") throw wrong("nothing captured");
  return captured;
}

/** The date of a placeholder: math, then a format and a zone in braces. */
function dateOf(placeholder: string, now: number): string {
  const open = placeholder.indexOf("{");
  let format = DEFAULT_FORMAT;
  let zone = UTC;
  if (open >= 0) {
    if (!placeholder.endsWith("}")) throw invalid(placeholder, "missing closing `}` for date math format");
    if (open === placeholder.length - 2) throw invalid(placeholder, "missing date format");
    const inner = placeholder.slice(open + 1, -1);
    const bar = inner.indexOf("|");
    format = bar < 0 ? inner : inner.slice(0, bar);
    if (bar >= 0) zone = zoneOf(inner.slice(bar + 1));
  }
  const formatter = dateFormatter(format);
  const math = open < 0 ? placeholder : placeholder.slice(0, open);
  return formatter.print(parseDateMath(math, formatter, { now, roundUp: false, zone }), zone);
}

/** What Java says of a zone that is none is not made an error of the request. */
function zoneOf(id: string): Zone {
  try {
    return parseZone(id);
  } catch (error) {
    const { cause } = error as EngineError;
    throw cause instanceof EngineError ? new EngineError(cause.type, cause.reason, { status: 500 }) : error;
  }
}
