/** A strategy's options between the fields of a form, where everything is text, and a request. */
import type { OptionSchema } from "../api/types.ts";

/** Name of an option → what was written; nothing where it stays as usual. */
export type OptionTexts = Readonly<Record<string, string>>;

export type FieldKind = "number" | "boolean" | "enum" | "text" | "list" | "json";

export function fieldKind({ type, enum: values, items, anyOf }: OptionSchema): FieldKind {
  if (values) return "enum";
  if (type === "integer" || type === "number") return "number";
  if (type === "boolean") return "boolean";
  if (type === "string") return "text";
  if (type === "array" && (items?.type === "string" || items?.anyOf?.[0]?.type === "string")) return "list";
  if (anyOf?.some(({ type: one }) => one === "string") && anyOf.some(({ type: one }) => one === "number"))
    return "text";
  return "json";
}

/** An option that cannot be read. */
export class BadOption extends Error {
  readonly option: string;
  constructor(option: string) {
    super(option);
    this.option = option;
  }
}

/**
 * The options of a request: those that were written.
 *
 * @throws BadOption for one that is not what its schema says
 */
export function optionValues(
  properties: Readonly<Record<string, OptionSchema>>,
  written: OptionTexts,
): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const text = written[name]?.trim() ?? "";
    if (text !== "") out[name] = readValue(name, schema, text);
  }
  return out;
}

function readValue(name: string, schema: OptionSchema, text: string): unknown {
  switch (fieldKind(schema)) {
    case "boolean":
      return text === "true";
    case "number": {
      const value = Number(text);
      if (!Number.isFinite(value)) throw new BadOption(name);
      return value;
    }
    case "list":
      return text.startsWith("[")
        ? json(name, text)
        : text
            .split(/[,，]/)
            .map((one) => one.trim())
            .filter(Boolean);
    case "json":
      return json(name, text);
    case "text":
      return schema.anyOf && text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
    default:
      return text;
  }
}

function json(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadOption(name);
  }
}
