/** The neighbourhood: what lies near a question or a passage by meaning, as a map. */
import { useMemo, useState } from "preact/hooks";
import { api } from "../api/http.ts";
import type { Neighbourhood } from "../api/types.ts";
import { openDocument } from "../parts/document-panel.tsx";
import { Empty, ErrorNote, Waiting } from "../parts/notes.tsx";
import { PlotMap } from "../parts/plot-map.tsx";
import { QuestionForm } from "../parts/question-form.tsx";
import { FileName, Said } from "../parts/said.tsx";
import { collection, inCollection } from "../state/collections.ts";
import { useLoaded } from "../state/load.ts";
import { note, route } from "../state/route.ts";
import { colouring, fieldsToColour } from "../text/colouring.ts";
import { harmless } from "../text/harmless.ts";
import { say } from "../text/index.ts";
import { scoreText } from "../text/values.ts";

const NEAR = 60;

export function Neighbours() {
  const words = say();
  const { q, p } = route.value.params;
  const from = q ? { query: q } : p ? { passage: p } : undefined;
  const { value, error, loading, reload } = useLoaded(
    from &&
      ((signal) => api<Neighbourhood>("POST", inCollection("/neighbours"), { body: { ...from, topK: NEAR }, signal })),
    [q, p, collection.value],
  );
  return (
    <div class="neighbours">
      <header class="view-head">
        <h1>{words.neighbours.title}</h1>
        <p class="lead">{words.neighbours.intro}</p>
      </header>
      <QuestionForm
        question={q ?? ""}
        label={words.question.ask}
        placeholder={words.neighbours.placeholder}
        submit={words.neighbours.submit}
        busy={false}
        onSubmit={(text) => note({ q: text, p: undefined })}
      />
      {error !== undefined ? (
        <ErrorNote error={error} retry={reload} />
      ) : value && from ? (
        value.neighbours.length === 0 ? (
          <Empty icon="neighbours" title={words.search.none} />
        ) : (
          <Shown near={value} stale={loading} />
        )
      ) : loading ? (
        <Waiting lines={8} />
      ) : null}
    </div>
  );
}

function Shown({ near, stale }: { near: Neighbourhood; stale: boolean }) {
  const words = say().neighbours;
  const [looked, setLooked] = useState<string>();
  const fields = useMemo(() => fieldsToColour(near.neighbours.map(({ metadata }) => metadata)), [near]);
  const [field, setField] = useState<string>();
  const by = field !== undefined && fields.includes(field) ? field : fields[0];
  const colours = useMemo(
    () =>
      colouring(
        near.neighbours.map(({ metadata }) => metadata),
        by,
      ),
    [near, by],
  );
  const { origin, neighbours, shares } = near;
  return (
    <div class={stale ? "near-layout stale" : "near-layout"}>
      <figure class="near-map">
        {origin.id !== undefined && (
          <p class="origin" dir="auto">
            <span class="soft">{words.from}</span> {origin.text.slice(0, 200)}
          </p>
        )}
        <PlotMap
          origin={origin}
          points={neighbours.map(({ x, y, id, similarity }, i) => ({
            x,
            y,
            id,
            near: similarity ?? 0,
            stream: colours.of[i]!,
          }))}
          looked={looked}
          onLook={setLooked}
          onOpen={(id) => {
            const found = neighbours.find((one) => one.id === id);
            if (found?.file !== undefined) openDocument(found.file, found.id);
          }}
        />
        <figcaption class="hint">{words.axes(Math.round((shares[0] + shares[1]) * 100))}</figcaption>
        {by !== undefined && (
          <div class="legend">
            <label>
              <span class="soft">{words.colour}</span>{" "}
              <select value={by} onChange={({ currentTarget }) => setField(currentTarget.value)}>
                {fields.map((name) => (
                  <option key={name} value={name}>
                    {harmless(name)}
                  </option>
                ))}
              </select>
            </label>
            <ul class="legend-list">
              {colours.names.map((name, i) => (
                <li key={name ?? ""}>
                  <span class={`swatch stream-${i}`} />
                  {name === undefined ? words.others : <Said value={name} />}
                </li>
              ))}
            </ul>
          </div>
        )}
      </figure>
      <ol class="near-list" aria-label={words.list}>
        {neighbours.map((one, i) => (
          <li key={one.id} class={looked === one.id ? "near looked" : "near"} onMouseEnter={() => setLooked(one.id)}>
            <button
              type="button"
              disabled={one.file === undefined}
              onFocus={() => setLooked(one.id)}
              onClick={() => openDocument(one.file!, one.id)}
            >
              <span class="near-head">
                <span class={`swatch stream-${colours.of[i]}`} />
                <span class="near-title">
                  <Said value={one.heading ?? one.metadata["title"] ?? one.file ?? one.id} />
                </span>
                <span class="soft number">{one.similarity === undefined ? "" : scoreText(one.similarity)}</span>
              </span>
              {one.file !== undefined && <FileName file={one.file} />}
              <span class="source-text" dir="auto">
                {one.text}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
