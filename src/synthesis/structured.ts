/** Answers as objects: what a zod schema asks for, said in the prompt or by the provider, read and checked. */
import type { z } from "zod";
import { jsonInAnswer } from "../retrieval/model-json.ts";
import { AnswerFormatError, type AnswerLanguage, InvalidArgumentError, type Prompt } from "../schema/index.ts";

/** A schema as the steps of an answer need it. */
export interface AnswerSchema<T> {
  /** As JSON schema. @throws InvalidArgumentError for what JSON schema cannot say */
  json(): Promise<Readonly<Record<string, unknown>>>;
  /** The value with what the schema makes of it. @throws AnswerFormatError */
  check(model: string, value: unknown, answer?: string): T;
}

/** @throws InvalidArgumentError for what is not a zod schema */
export function answerSchema<T>(schema: z.ZodType<T>): AnswerSchema<T> {
  if (typeof schema !== "object" || schema === null || typeof schema.safeParse !== "function") {
    throw new InvalidArgumentError("schema", schema, "the schema must be one of zod, such as z.object({ … })");
  }
  let json: Promise<Record<string, unknown>> | undefined;
  return {
    json: () => (json ??= asJsonSchema(schema)),
    check(model, value, answer = JSON.stringify(value) ?? "undefined") {
      const parsed = schema.safeParse(value);
      if (parsed.success) return parsed.data;
      const issues = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "the answer"}: ${message}`);
      throw new AnswerFormatError(
        model,
        answer,
        `${model} was asked for an object and its answer does not fit the schema: ${issues.slice(0, 5).join("; ")}`,
        { cause: parsed.error },
      );
    },
  };
}

async function asJsonSchema(schema: z.ZodType): Promise<Record<string, unknown>> {
  const { z } = await import("zod");
  try {
    return z.toJSONSchema(schema, {
      io: "input",
      // zod says of every integer that JavaScript has to be able to hold it; no model need hear that.
      override({ jsonSchema }) {
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      },
    }) as Record<string, unknown>;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new InvalidArgumentError("schema", schema, `JSON schema cannot express the schema: ${why}`);
  }
}

/** The object in an answer. @throws AnswerFormatError where there is none that fits */
export function readObject<T>(model: string, answer: string, schema: AnswerSchema<T>): T {
  const value = jsonInAnswer(answer);
  if (value === undefined) {
    throw new AnswerFormatError(
      model,
      answer,
      `${model} was asked for an object and answered without one: ${JSON.stringify(answer.slice(0, 200))}`,
    );
  }
  return schema.check(model, value, answer);
}

const FORMAT: Record<AnswerLanguage, (json: string) => string> = {
  en: (json) => `Answer with one JSON object of this schema and nothing else:\n${json}`,
  zh: (json) => `只输出一个符合下面模式的 JSON 对象，不要输出其他内容：\n${json}`,
};

/** What is put behind a prompt to say the schema. */
export async function formatText<T>(schema: AnswerSchema<T>, language: AnswerLanguage): Promise<string> {
  const { $schema: _, ...json } = await schema.json();
  return `\n\n${FORMAT[language](JSON.stringify(json))}`;
}

/** The prompt with the schema behind it. */
export async function withFormat<T>(
  prompt: Prompt,
  schema: AnswerSchema<T>,
  language: AnswerLanguage,
): Promise<Prompt> {
  const format = await formatText(schema, language);
  if (typeof prompt === "string") return prompt + format;
  const last = prompt.length - 1;
  return prompt.map((message, i) => (i === last ? { ...message, content: message.content + format } : message));
}
