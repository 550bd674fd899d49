/** What is asked beside the question: strategy, number of passages, reranking, filters. Ask and search have it in common. */
import { useId } from "preact/hooks";
import { strategies } from "../state/collections.ts";
import { type Condition, conditionText, requestFilters, toggled } from "../state/filters.ts";
import { harmless } from "../text/harmless.ts";
import { say } from "../text/index.ts";
import { BadOption, optionValues } from "../text/options.ts";
import { Icon } from "./icon.tsx";
import { type Choice, StrategyPicker } from "./strategy-picker.tsx";

export interface Asking {
  choice: Choice;
  topK: number;
  rerank: boolean;
  conditions: Condition[];
}

export const usualAsking = (topK: number): Asking => ({
  choice: { strategy: "hybrid", written: {} },
  topK,
  rerank: false,
  conditions: [],
});

/**
 * The part of a request.
 *
 * @throws Error that says which option cannot be read
 */
export function askingBody({ choice, topK, rerank, conditions }: Asking): Record<string, unknown> {
  const schema = strategies.value.find(({ name }) => name === choice.strategy)?.options.properties ?? {};
  const filters = requestFilters(conditions);
  try {
    return {
      strategy: choice.strategy,
      options: optionValues(schema, choice.written),
      topK,
      ...(rerank ? { rerank } : {}),
      ...(filters ? { filters } : {}),
    };
  } catch (error) {
    if (error instanceof BadOption) throw new Error(say().question.badJson(error.option));
    throw error;
  }
}

export function AskingFields({ asking, onChange }: { asking: Asking; onChange(asking: Asking): void }) {
  const words = say().question;
  const id = useId();
  return (
    <>
      <StrategyPicker choice={asking.choice} onChange={(choice) => onChange({ ...asking, choice })} />
      <div class="field narrow">
        <label for={`${id}-k`}>{words.topK}</label>
        <input
          id={`${id}-k`}
          type="number"
          min={1}
          max={100}
          step={1}
          value={asking.topK}
          onChange={({ currentTarget }) => {
            const topK = Math.round(Number(currentTarget.value));
            if (topK >= 1) onChange({ ...asking, topK: Math.min(100, topK) });
          }}
        />
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={asking.rerank}
          onChange={({ currentTarget }) => onChange({ ...asking, rerank: currentTarget.checked })}
        />
        <span>
          {words.rerank} <span class="soft">{words.rerankHint}</span>
        </span>
      </label>
    </>
  );
}

/** The filters that hold, each with a button that takes it away. */
export function FilterChips({ asking, onChange }: { asking: Asking; onChange(asking: Asking): void }) {
  if (asking.conditions.length === 0) return null;
  return (
    <ul class="chips" aria-label={say().search.filters}>
      {asking.conditions.map((condition) => {
        const text = harmless(conditionText(condition));
        return (
          <li key={text}>
            <button
              type="button"
              class="chip on"
              aria-label={say().search.removeFilter(text)}
              onClick={() => onChange({ ...asking, conditions: toggled(asking.conditions, condition) })}
            >
              <bdi>{text}</bdi>
              <Icon name="close" size={14} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
