/**
 * Values printed as Python prints them. LlamaIndex shows metadata to models as `str(value)` and hashes `repr(metadata)`;
 * the same text here means the same prompts and the same hashes.
 */

/** Python's white space: `str.strip()` removes U+001C–U+001F and U+0085 but keeps U+FEFF, unlike `trim()`. */
const PYTHON_SPACE = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const STRIP_START = new RegExp(`^${PYTHON_SPACE}+`);
const IS_SPACE = new RegExp(`^${PYTHON_SPACE}$`);

/** Python's `str.strip()`. */
export function pythonStrip(text: string): string {
  let end = text.length;
  while (end > 0 && IS_SPACE.test(text[end - 1]!)) end--;
  return text.slice(0, end).replace(STRIP_START, "");
}

/** Whether Python's `str.isspace()` holds for a character. */
export function isPythonSpace(char: string): boolean {
  return IS_SPACE.test(char);
}

/** Python's `str(value)`: a string as it is, everything else as `repr`. `undefined` counts as `None`. */
export function pythonStr(value: unknown): string {
  return typeof value === "string" ? value : pythonRepr(value);
}

/** Python's `repr(value)` of a JSON value. Whole numbers print as integers (JSON does not tell 1 from 1.0). */
export function pythonRepr(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return numberRepr(value);
  if (typeof value === "string") return stringRepr(value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(", ")}]`;
  if (typeof value === "object") {
    return `{${Object.entries(value)
      .map(([k, v]) => `${stringRepr(k)}: ${pythonRepr(v)}`)
      .join(", ")}}`;
  }
  return String(value);
}

function numberRepr(x: number): string {
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
  if (Number.isInteger(x)) return BigInt(x).toString();
  // Both languages print the shortest digits; Python turns to exponents below 1e-4 and writes two digits of it.
  if (Math.abs(x) >= 1e-4) return String(x);
  return x.toExponential().replace(/e-(\d)$/, "e-0$1");
}

/** Single quotes, unless the text holds some and no double ones; what is not printable is escaped. */
function stringRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = quote;
  for (const char of text) out += char === quote ? `\\${char}` : escapeChar(char);
  return out + quote;
}

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeChar(char: string): string {
  const known = ESCAPES[char];
  if (known) return known;
  // str.isprintable(): other controls, formats, surrogates, private, unassigned, and separators except the space.
  if (char === " " || !/[\p{C}\p{Z}]/u.test(char)) return char;
  const code = char.codePointAt(0)!;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, "0")}`;
  return `\\U${code.toString(16).padStart(8, "0")}`;
}
