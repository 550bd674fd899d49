/** The keys that do something, and the list of them. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { go, type View } from "../state/route.ts";
import { say } from "../text/index.ts";
import { Dialog } from "./dialog.tsx";

export const helpOpen = signal(false);

/** After `g`. */
const LETTERS: Record<string, View> = {
  a: "ask",
  s: "search",
  c: "compare",
  d: "documents",
  n: "neighbours",
  t: "analyzers",
  r: "reports",
  q: "console",
};

export function Keys() {
  useEffect(() => {
    let goes = 0;
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (target.matches("input, textarea, select, [contenteditable]") || document.querySelector("dialog[open]"))
        return;
      if (goes > Date.now()) {
        goes = 0;
        const view = LETTERS[event.key];
        if (view) {
          event.preventDefault();
          go(view);
        }
        return;
      }
      switch (event.key) {
        case "/":
          event.preventDefault();
          document.querySelector<HTMLElement>("[data-question]")?.focus();
          return;
        case "?":
          helpOpen.value = true;
          return;
        case "g":
          goes = Date.now() + 1500;
          return;
        case "j":
        case "k":
          step(event.key === "j" ? 1 : -1);
          return;
        case "o":
          document.activeElement?.closest("[data-hit]")?.querySelector<HTMLElement>("[data-open]")?.click();
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return null;
}

function step(by: number): void {
  const hits = [...document.querySelectorAll<HTMLElement>("[data-hit]")];
  const now = hits.findIndex((hit) => hit.contains(document.activeElement));
  const next = hits[Math.min(hits.length - 1, Math.max(0, now + by))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

export function Help() {
  if (!helpOpen.value) return null;
  const words = say();
  const rows: [string[], string][] = [
    [["/"], words.help.question],
    [["j", "k"], words.help.hits],
    [["o"], words.help.open],
    [["Esc"], words.help.close],
    [["?"], words.help.help],
    ...Object.entries(LETTERS).map(([letter, view]): [string[], string] => [["g", letter], words.views[view]]),
  ];
  return (
    <Dialog
      title={words.help.title}
      onClose={() => {
        helpOpen.value = false;
      }}
    >
      <dl class="keys">
        {rows.map(([keys, what]) => (
          <div key={keys.join(" ")}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
