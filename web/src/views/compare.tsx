/** Compare: one question, several strategies side by side, with lines from each passage to where the next strategy has it. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { api, isAbort } from "../api/http.ts";
import type { Hit, StrategyInfo } from "../api/types.ts";
import { Choices } from "../parts/choices.tsx";
import { openDocument } from "../parts/document-panel.tsx";
import { Icon } from "../parts/icon.tsx";
import { Empty, ErrorNote, Waiting } from "../parts/notes.tsx";
import { QuestionForm } from "../parts/question-form.tsx";
import { Said } from "../parts/said.tsx";
import { Scroll } from "../parts/scroll.tsx";
import { collection, inCollection, strategies } from "../state/collections.ts";
import { note, route } from "../state/route.ts";
import { say } from "../text/index.ts";
import { movement, paths } from "../text/movements.ts";
import { scoreText } from "../text/values.ts";

const USUAL = ["bm25", "hybrid", "dense"];
const TOP = 10;
/** Height of a row, in pixels: the lines are drawn by it. */
const ROW = 68;
const GAP = 56;
const MOST = 6;

interface Column {
  hits?: Hit[];
  ms?: number;
  error?: unknown;
}

export function Compare() {
  const words = say();
  const { q, ss } = route.value.params;
  const known = strategies.value;
  const chosen = useMemo(() => {
    const names = (ss ?? USUAL.join(",")).split(",");
    return names.filter((name) => known.some((one) => one.name === name));
  }, [ss, known]);
  const [columns, setColumns] = useState<Readonly<Record<string, Column>>>({});
  useEffect(() => {
    if (!q) return;
    const stop = new AbortController();
    setColumns({});
    for (const strategy of chosen) {
      const from = performance.now();
      const put = (column: Column) => {
        if (!stop.signal.aborted) setColumns((before) => ({ ...before, [strategy]: column }));
      };
      api<{ hits: Hit[] }>("POST", inCollection("/search"), {
        body: { query: q, strategy, topK: TOP },
        signal: stop.signal,
      }).then(
        ({ hits }) => put({ hits, ms: Math.round(performance.now() - from) }),
        (error: unknown) => {
          if (!isAbort(error)) put({ error });
        },
      );
    }
    return () => stop.abort();
  }, [q, chosen.join(), collection.value]);
  const choose = (names: readonly string[]) => note({ ss: names.join(",") });
  return (
    <div class="compare">
      <header class="view-head">
        <h1>{words.compare.title}</h1>
        <p class="lead">{words.compare.intro}</p>
      </header>
      <QuestionForm
        question={q ?? ""}
        label={words.question.ask}
        placeholder={words.question.searchPlaceholder}
        submit={words.compare.submit}
        busy={false}
        onSubmit={(text) => note({ q: text })}
      />
      <Choices
        legend={words.compare.strategies}
        names={known.map(({ name }) => name)}
        chosen={chosen}
        onChoose={choose}
        most={MOST}
        titleOf={(name) => described(known.find((one) => one.name === name)!)}
      />
      {!q ? (
        <Empty icon="compare" title={words.compare.empty} />
      ) : chosen.length === 0 ? (
        <p class="soft">{words.compare.none}</p>
      ) : (
        <Board names={chosen} columns={columns} />
      )}
    </div>
  );
}

/** What a strategy is, and what it asks for. */
function described({ title, needs }: StrategyInfo): string {
  const { needs: asksFor, needNames } = say().question;
  return needs.length > 0 ? `${title} (${asksFor(needs.map((need) => needNames[need] ?? need).join(", "))})` : title;
}

function Board({ names, columns }: { names: readonly string[]; columns: Readonly<Record<string, Column>> }) {
  const words = say();
  const [looked, setLooked] = useState<string>();
  const lists = names.map((name) => columns[name]?.hits ?? []);
  const first = lists[0]!;
  const rows = Math.max(1, ...lists.map((list) => list.length));
  return (
    <Scroll label={words.compare.title}>
      <div
        class="board"
        style={{
          gridTemplateColumns: names
            .map((_, i) => (i === 0 ? "minmax(13rem, 1fr)" : `${GAP}px minmax(13rem, 1fr)`))
            .join(" "),
        }}
      >
        {names.map((name, i) => {
          const column = columns[name];
          return [
            i > 0 && (
              <Lines
                key={`${name} lines`}
                from={lists[i - 1]!}
                to={lists[i]!}
                rows={rows}
                looked={looked}
                onLook={setLooked}
              />
            ),
            <section key={name} class="board-column" aria-labelledby={`column-${i}`}>
              <header>
                <h2 id={`column-${i}`}>{name}</h2>
                <span class="soft">{column?.ms === undefined ? "" : words.ms(column.ms)}</span>
              </header>
              {column === undefined ? (
                <Waiting lines={6} />
              ) : column.error !== undefined ? (
                <ErrorNote error={column.error} />
              ) : column.hits!.length === 0 ? (
                <p class="soft">{words.search.none}</p>
              ) : (
                <ol>
                  {column.hits!.map((hit) => (
                    <Row
                      key={hit.id}
                      hit={hit}
                      first={i === 0 ? undefined : first}
                      looked={looked}
                      onLook={setLooked}
                    />
                  ))}
                </ol>
              )}
            </section>,
          ];
        })}
      </div>
    </Scroll>
  );
}

function Row({
  hit,
  first,
  looked,
  onLook,
}: {
  hit: Hit;
  first: readonly Hit[] | undefined;
  looked: string | undefined;
  onLook(id: string | undefined): void;
}) {
  const words = say().compare;
  const moved = first && movement(hit, first);
  const said =
    moved === undefined ? undefined : moved === "new" ? words.new : moved === 0 ? words.same : words.moved(moved);
  return (
    <li
      class={looked === hit.id ? "board-row looked" : "board-row"}
      style={{ height: `${ROW}px` }}
      onMouseEnter={() => onLook(hit.id)}
      onMouseLeave={() => onLook(undefined)}
    >
      <button
        type="button"
        disabled={hit.file === undefined}
        onFocus={() => onLook(hit.id)}
        onBlur={() => onLook(undefined)}
        onClick={() => openDocument(hit.file!, hit.id)}
      >
        <span class="rank">{hit.rank}</span>
        <span class="board-text">
          <span class="board-title">
            <Said value={hit.heading ?? hit.metadata["title"] ?? hit.file ?? hit.id} />
          </span>
          <span class="board-place">
            <Said value={hit.text.replace(/\s+/g, " ")} />
          </span>
        </span>
        <span class="board-side">
          {said !== undefined && (
            <span class={`moved ${moved === "new" ? "new" : moved! > 0 ? "up" : moved! < 0 ? "down" : ""}`}>
              <span class="hidden">{said}</span>
              <span aria-hidden="true">
                {moved === "new" ? (
                  <Icon name="spark" size={14} />
                ) : moved === 0 ? (
                  "="
                ) : moved! > 0 ? (
                  `↑${moved}`
                ) : (
                  `↓${-moved!}`
                )}
              </span>
            </span>
          )}
          <span class="soft number">{hit.score === undefined ? "" : scoreText(hit.score)}</span>
        </span>
      </button>
    </li>
  );
}

/** From where one list has a passage to where the next has it. */
function Lines({
  from,
  to,
  rows,
  looked,
  onLook,
}: {
  from: readonly Hit[];
  to: readonly Hit[];
  rows: number;
  looked: string | undefined;
  onLook(id: string | undefined): void;
}) {
  const y = (rank: number) => (rank - 0.5) * ROW;
  return (
    <svg class="lines" width={GAP} height={rows * ROW} viewBox={`0 0 ${GAP} ${rows * ROW}`} aria-hidden="true">
      {paths(from, to).map(({ id, left, right }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the rows do the same for the keyboard
        <path
          key={id}
          class={`line ${left === right ? "" : left > right ? "up" : "down"} ${looked === id ? "looked" : ""}`}
          d={`M0 ${y(left)} C${GAP / 2} ${y(left)} ${GAP / 2} ${y(right)} ${GAP} ${y(right)}`}
          onMouseEnter={() => onLook(id)}
          onMouseLeave={() => onLook(undefined)}
        />
      ))}
    </svg>
  );
}
