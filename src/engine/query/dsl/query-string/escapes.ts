/** Escapes in query_string: a character behind `\` stands for itself, `\u0041` for a code unit. */
import { queryParseError } from "./errors.ts";

/** A text whose characters all stand for themselves (QueryParser.escape). */
export const escaped = (text: string): string => text.replace(/[\\+\-!():^[\]"{}~*?|&/]/g, "\\$&");

/** @throws QueryParseError for a half escape */
export function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  let result = "";
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== "\\") {
      result += text[i];
      continue;
    }
    i++;
    if (i >= text.length) throw queryParseError("Term can not end with escape character.");
    if (text[i] !== "u") {
      result += text[i];
      continue;
    }
    const digits = text.slice(i + 1, i + 5);
    const wrong = /[^0-9a-f]/i.exec(digits);
    if (wrong) throw queryParseError(`Non-hex character in Unicode escape sequence: ${wrong[0]}`);
    if (digits.length < 4) throw queryParseError("Truncated unicode escape sequence.");
    result += String.fromCharCode(Number.parseInt(digits, 16));
    i += 4;
  }
  return result;
}
