/** URL parameters as actions ask for them, and values that are written as text there. */
import { illegalArgument } from "../errors.ts";

export { parseTime } from "../time-value.ts";

export interface Params {
  has(name: string): boolean;
  /** The value as it is; `undefined` when it is absent. */
  text(name: string): string | undefined;
  /** A present but empty parameter (`?pretty`) is true. */
  flag(name: string): boolean | undefined;
  int(name: string): number | undefined;
  /** A whole number of up to 64 bits; beyond 2^53 it is rounded. */
  long(name: string): number | undefined;
  /** Values separated by commas. */
  list(name: string): string[] | undefined;
  /** A time such as `30s`, in milliseconds; -1 for none. */
  time(name: string): number | undefined;
  /** Accepts parameters that change nothing here. */
  accept(...names: string[]): void;
  /** Parameters that nobody asked for, sorted. */
  unknown(): string[];
  /** All that were asked for. */
  known(): string[];
}

/** `true` or `false` and nothing else. */
export function parseBoolean(value: string): boolean {
  if (value === "true") return true;
  if (value === "false") return false;
  throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
}
