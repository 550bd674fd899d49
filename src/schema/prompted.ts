/**
 * The prompts of parts, to be seen and replaced after they are made: LlamaIndex's `get_prompts` and `update_prompts`. A part's own prompts
 * have a name; those of a part within it stand under its place, such as `synthesizer:textQa`.
 */
import { InvalidArgumentError } from "./errors.ts";
import type { PromptOption } from "./prompts.ts";

/** A part's own prompts, which it reads at each call, and the parts within it by their place. */
export interface PromptSet {
  own: Record<string, PromptOption>;
  parts: Record<string, object>;
}

const PROMPTS = Symbol.for("huiliu.prompts");

/** Gives a part its prompts. Not a copy of it: a copy shows none. */
export function withPrompts<P extends object>(part: P, own: PromptSet["own"], parts: PromptSet["parts"] = {}): P {
  return Object.defineProperty(part, PROMPTS, { value: { own, parts } satisfies PromptSet });
}

/** Gives a part those of another, which it stands for. */
export function withPromptsOf<P extends object>(part: P, other: object): P {
  const { own, parts } = promptSet(other);
  return withPrompts(part, own, parts);
}

function promptSet(part: object): PromptSet {
  return (part as { [PROMPTS]?: PromptSet })[PROMPTS] ?? { own: {}, parts: {} };
}

/**
 * The prompts of a part and of those within it, by name.
 *
 * @example Object.keys(getPrompts(engine)) // ["synthesizer:textQa", "synthesizer:refine"]
 */
export function getPrompts(part: object): Record<string, PromptOption> {
  const { own, parts } = promptSet(part);
  const inner = Object.entries(parts).flatMap(([place, within]) =>
    Object.entries(getPrompts(within)).map(([name, prompt]) => [`${place}:${name}`, prompt] as const),
  );
  return Object.fromEntries([...Object.entries(own), ...inner]);
}

/**
 * Replaces prompts of a part, for all that share it, from the next call on.
 *
 * @throws InvalidArgumentError for a name that the part does not have; then nothing is replaced
 * @example updatePrompts(engine, { "synthesizer:textQa": "{context_str}\n\n问题：{query_str}\n回答：" });
 */
export function updatePrompts(part: object, prompts: Readonly<Record<string, PromptOption>>): void {
  const known = getPrompts(part);
  for (const [name, prompt] of Object.entries(prompts)) {
    if (!Object.hasOwn(known, name)) {
      const names = Object.keys(known).join(", ") || "none";
      throw new InvalidArgumentError(name, prompt, `there is no prompt "${name}" here: known are ${names}`);
    }
  }
  for (const [name, prompt] of Object.entries(prompts)) replace(part, name.split(":"), prompt);
}

function replace(part: object, [name, ...rest]: string[], prompt: PromptOption): void {
  const { own, parts } = promptSet(part);
  if (rest.length === 0) own[name!] = prompt;
  else replace(parts[name!]!, rest, prompt);
}
