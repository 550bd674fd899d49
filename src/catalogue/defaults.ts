/** The strategy that holds where a search names none: that of the configuration, in every command and on every server. */

import { InvalidArgumentError } from "../schema/index.ts";
import { RESERVED_OPTIONS } from "./run.ts";

/** How searches are made where a call says nothing: a strategy, and its options. */
export interface SearchDefaults {
  /** Default `hybrid`. */
  strategy?: string;
  /** Options of that strategy. */
  options?: Readonly<Record<string, unknown>>;
}

/**
 * A strategy and its options beside one another, as a search takes them. Options of the defaults hold for their own strategy alone, and those
 * that are asked for go before them.
 *
 * @throws InvalidArgumentError for an option that belongs to every search, such as `filters`: it stands beside the strategy's
 */
export function withSearchDefaults(
  { strategy, options = {} }: SearchDefaults,
  defaults: SearchDefaults = {},
): { strategy: string } & Record<string, unknown> {
  const reserved = Object.keys(options).find((name) => RESERVED_OPTIONS.includes(name));
  if (reserved !== undefined) {
    const message = `"${reserved}" is no option of a strategy: give it beside them`;
    throw new InvalidArgumentError(reserved, options[reserved], message);
  }
  const usual = defaults.strategy ?? "hybrid";
  const chosen = strategy ?? usual;
  return { ...(chosen === usual ? defaults.options : {}), ...options, strategy: chosen };
}
