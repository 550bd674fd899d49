/**
 * What one question may cost. Parts compose freely, and each may ask others several times: an engine that asks again over one that takes
 * questions apart over a mode with a call a passage. What they multiply to is nobody's intention, so that each question counts the calls of
 * language models and the retrievals made for it, through all parts, and ends with an error at a limit.
 */
import { HuiliuError, InvalidArgumentError } from "./errors.ts";

/** What is counted. */
export type Costly = "modelCalls" | "retrievals";

/** Most calls of language models and most retrievals, for a question or several together. */
export type BudgetLimits = { readonly [what in Costly]?: number };

/** The counters of one question. */
export interface Budget {
  readonly limits: Readonly<Record<Costly, number>>;
  readonly used: Readonly<Record<Costly, number>>;
  /** Counts one. @throws BudgetError where that would be one too many */
  spend(what: Costly): void;
  /** Says what is going to be spent. @throws BudgetError before anything is, where it would be too much */
  plan(what: Costly, count: number): void;
}

/** What a question may cost where nothing else is said. */
export const DEFAULT_BUDGET: Readonly<Record<Costly, number>> = { modelCalls: 500, retrievals: 5000 };

const NAMES: Record<Costly, string> = { modelCalls: "calls of language models", retrievals: "retrievals" };

/** A question costs more than it may. Code `BUDGET_EXCEEDED`. */
export class BudgetError extends HuiliuError {
  readonly what: Costly;
  readonly limit: number;
  readonly used: number;
  /** Further ones that were wanted. */
  readonly wanted: number;

  constructor(what: Costly, limit: number, used: number, wanted: number) {
    super(
      "BUDGET_EXCEEDED",
      `this question made ${used} ${NAMES[what]} and wants ${wanted} more, but may make ${limit}: find fewer passages (topK), take a mode that ` +
        `packs them (compact) and fewer retries or sub-questions, or give the call \`budget: callBudget({ ${what}: ${used + wanted} })\` or more`,
    );
    this.what = what;
    this.limit = limit;
    this.used = used;
    this.wanted = wanted;
  }
}

/**
 * Makes a budget, for one question or for several together.
 *
 * @example await engine.query("比较各部门的制度", { budget: callBudget({ modelCalls: 50 }) });
 */
export function callBudget(given: BudgetLimits = {}): Budget {
  const limits = { ...DEFAULT_BUDGET };
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(limits, name)) {
      throw new InvalidArgumentError(name, value, `there is no limit "${name}": known are ${Object.keys(limits)}`);
    }
    if (value === undefined) continue;
    if (!(value >= 0) || (value !== Number.POSITIVE_INFINITY && !Number.isInteger(value))) {
      throw new InvalidArgumentError(name, value, `${name} must be a whole number of at least 0, or Infinity`);
    }
    limits[name as Costly] = value;
  }
  const used: Record<Costly, number> = { modelCalls: 0, retrievals: 0 };
  const plan = (what: Costly, count: number) => {
    if (used[what] + count > limits[what]) throw new BudgetError(what, limits[what], used[what], count);
  };
  return {
    limits,
    used,
    plan,
    spend(what) {
      plan(what, 1);
      used[what]++;
    },
  };
}
