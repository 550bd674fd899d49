/** Search: a strategy with its options, what it finds with what matched marked, and what there is to choose by. */
import { useEffect, useState } from "preact/hooks";
import { api } from "../api/http.ts";
import type { Hit, Notice } from "../api/types.ts";
import { type Asking, AskingFields, askingBody, FilterChips, usualAsking } from "../parts/asking.tsx";
import { Explanation } from "../parts/explanation.tsx";
import { Facets } from "../parts/facets.tsx";
import { HitCard } from "../parts/hit.tsx";
import { Empty, ErrorNote, Note, Waiting } from "../parts/notes.tsx";
import { QuestionForm } from "../parts/question-form.tsx";
import { Said } from "../parts/said.tsx";
import { collection, inCollection } from "../state/collections.ts";
import { readConditions, toggled, writeConditions } from "../state/filters.ts";
import { useStarted } from "../state/load.ts";
import { note, route } from "../state/route.ts";
import { say } from "../text/index.ts";
import { freshTags, type Tags } from "../text/marks.ts";

interface Found {
  query: string;
  /** What was asked beside the query: an explanation asks the same. */
  body: Record<string, unknown>;
  hits: Hit[];
  notices: Notice[];
  tags: Tags;
  ms: number;
}

export function Search() {
  const words = say();
  const { params } = route.value;
  const [asking, setAsking] = useState<Asking>(() => ({
    ...usualAsking(10),
    choice: { strategy: params["s"] ?? "hybrid", written: {} },
    conditions: readConditions(params["f"]),
  }));
  const found = useStarted<Found>();
  const query = params["q"] ?? "";
  const search = (text: string, with_: Asking) =>
    found.start(async (signal) => {
      const body = askingBody(with_);
      const tags = freshTags();
      const from = performance.now();
      const answer = await api<{ hits: Hit[]; notices: Notice[] }>("POST", inCollection("/search"), {
        body: { query: text, ...body, highlight: { ...tags, fragments: 3, fragmentSize: 160 } },
        signal,
      });
      return { query: text, body, ...answer, tags, ms: Math.round(performance.now() - from) };
    });
  const change = (next: Asking) => {
    setAsking(next);
    note({ s: next.choice.strategy, f: writeConditions(next.conditions) });
  };
  useEffect(() => {
    if (query !== "") search(query, asking);
  }, [query, collection.value, JSON.stringify(asking)]);

  const { value, error, loading } = found;
  return (
    <div class="search">
      <header class="view-head">
        <h1>{words.search.title}</h1>
        {query === "" && <p class="lead">{words.search.intro}</p>}
      </header>
      <QuestionForm
        question={query}
        label={words.question.search}
        placeholder={words.question.searchPlaceholder}
        submit={words.question.submitSearch}
        busy={false}
        onSubmit={(text) => {
          if (text === query) search(text, asking);
          else note({ q: text });
        }}
      />
      <div class="two-columns">
        <section class="results" aria-label={words.search.title} aria-busy={loading}>
          <FilterChips asking={asking} onChange={change} />
          <p class="result-line" role="status">
            {value &&
              !error &&
              (value.hits.length > 0 ? words.search.results(value.hits.length, value.ms) : words.search.none)}
          </p>
          {value?.notices.map(({ message }) => (
            <Note key={message}>
              <Said value={message} />
            </Note>
          ))}
          {error !== undefined ? (
            <ErrorNote error={error} retry={() => search(query, asking)} />
          ) : !value && loading ? (
            <Waiting lines={8} />
          ) : value && value.hits.length === 0 ? (
            <Empty icon="search" title={words.search.none}>
              <p>{words.search.noneHint}</p>
            </Empty>
          ) : (
            <ol class={loading ? "hits stale" : "hits"}>
              {value?.hits.map((hit) => (
                <HitCard
                  key={hit.id}
                  hit={hit}
                  tags={value.tags}
                  explained={() => <Explanation query={value.query} passage={hit.id} body={value.body} />}
                />
              ))}
            </ol>
          )}
        </section>
        <aside class="panel" aria-label={words.question.options}>
          <AskingFields asking={asking} onChange={change} />
          <Facets
            query={query}
            conditions={asking.conditions}
            onToggle={(condition) => change({ ...asking, conditions: toggled(asking.conditions, condition) })}
          />
        </aside>
      </div>
    </div>
  );
}
