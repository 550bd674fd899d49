/** Names of which any number may be chosen, as chips under a title. */
import type { ComponentChildren } from "preact";
import { harmless } from "../text/harmless.ts";

interface Props {
  legend: string;
  names: readonly string[];
  chosen: readonly string[];
  onChoose(names: readonly string[]): void;
  /** How many may be chosen. */
  most?: number;
  /** What is told of a name where the pointer rests. */
  titleOf?(name: string): string;
  /** After the chips. */
  children?: ComponentChildren;
}

export function Choices({
  legend,
  names,
  chosen,
  onChoose,
  most = Number.POSITIVE_INFINITY,
  titleOf,
  children,
}: Props) {
  return (
    <fieldset class="choices">
      <legend class="small-title">{legend}</legend>
      <div class="chips">
        {names.map((name) => {
          const on = chosen.includes(name);
          return (
            <button
              key={name}
              type="button"
              class={on ? "chip on" : "chip"}
              aria-pressed={on}
              disabled={!on && chosen.length >= most}
              title={titleOf?.(name)}
              onClick={() => onChoose(on ? chosen.filter((one) => one !== name) : [...chosen, name])}
            >
              <bdi>{harmless(name)}</bdi>
            </button>
          );
        })}
        {children}
      </div>
    </fieldset>
  );
}
