/** Ask: an answer as it is written, whose numbers open what it rests on. */
import { useEffect, useRef, useState } from "preact/hooks";
import { serverEvents, textOf } from "../api/events.ts";
import { ApiError, api, failure, isAbort, request } from "../api/http.ts";
import type { AnswerEnd, DocumentRecord, Source } from "../api/types.ts";
import { Answer } from "../parts/answer.tsx";
import { AskingFields, askingBody, FilterChips, usualAsking } from "../parts/asking.tsx";
import { openDocument } from "../parts/document-panel.tsx";
import { Facets } from "../parts/facets.tsx";
import { Icon } from "../parts/icon.tsx";
import { ErrorNote, Note, Waiting } from "../parts/notes.tsx";
import { QuestionForm } from "../parts/question-form.tsx";
import { FileName, Said } from "../parts/said.tsx";
import { collection, inCollection } from "../state/collections.ts";
import { readConditions, toggled, writeConditions } from "../state/filters.ts";
import { useLoaded } from "../state/load.ts";
import { note, route } from "../state/route.ts";
import { say } from "../text/index.ts";

interface Answering {
  question: string;
  phase: "looking" | "writing" | "done" | "stopped" | "failed";
  sources: Source[];
  text: string;
  end?: AnswerEnd;
  error?: unknown;
}

export function Ask() {
  const words = say();
  const { params } = route.value;
  const [asking, setAsking] = useState(() => ({ ...usualAsking(5), conditions: readConditions(params["f"]) }));
  const [state, setState] = useState<Answering>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const ask = (question: string, with_ = asking) => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    note({ q: question, f: writeConditions(with_.conditions) });
    setState({ question, phase: "looking", sources: [], text: "" });
    const change = (part: Partial<Answering>) => {
      if (running.current === stop) setState((before) => before && { ...before, ...part });
    };
    stream(question, () => askingBody(with_), change, stop.signal).catch((error: unknown) => {
      if (!isAbort(error)) change({ phase: "failed", error });
    });
  };
  const stop = () => {
    running.current?.abort();
    setState((before) => before && { ...before, phase: "stopped" });
  };
  // A link to a question asks it.
  useEffect(() => {
    if (params["q"] && state?.question !== params["q"]) ask(params["q"]);
  }, [params["q"], collection.value]);

  const busy = state?.phase === "looking" || state?.phase === "writing";
  return (
    <div class={state ? "ask" : "ask at-rest"}>
      <header class="view-head">
        <h1>{words.ask.title}</h1>
        {!state && <p class="lead">{words.ask.intro}</p>}
      </header>
      <QuestionForm
        question={params["q"] ?? ""}
        label={words.question.ask}
        placeholder={words.question.askPlaceholder}
        submit={words.question.submitAsk}
        busy={busy}
        onSubmit={ask}
        onStop={stop}
        options={
          <>
            <AskingFields asking={asking} onChange={setAsking} />
            <Facets
              query=""
              conditions={asking.conditions}
              onToggle={(condition) => setAsking({ ...asking, conditions: toggled(asking.conditions, condition) })}
            />
          </>
        }
      />
      <FilterChips asking={asking} onChange={setAsking} />
      {state ? <Shown state={state} retry={() => ask(state.question)} /> : <Suggestions onAsk={ask} />}
    </div>
  );
}

async function stream(
  question: string,
  body: () => Record<string, unknown>,
  change: (part: Partial<Answering>) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await request("POST", `/_huiliu${inCollection("/ask")}`, {
    body: { question, ...body() },
    signal,
    accept: "text/event-stream",
  });
  if (!response.ok || !response.body) throw await failure(response);
  let text = "";
  for await (const { event, data } of serverEvents(textOf(response.body))) {
    const said: unknown = JSON.parse(data);
    if (event === "sources") change({ sources: said as Source[], phase: "writing" });
    else if (event === "text") change({ text: (text += (said as { text: string }).text) });
    else if (event === "done") return change({ end: said as AnswerEnd, phase: "done" });
    else if (event === "error") {
      const { code, message } = said as { code: string; message: string };
      throw new ApiError(500, code, message);
    }
  }
  throw new ApiError(0, "UNREACHABLE", "the answer broke off");
}

function Shown({ state: { phase, sources, text, end, error }, retry }: { state: Answering; retry(): void }) {
  const words = say().ask;
  const [copied, setCopied] = useState(false);
  const cited = new Set(end?.kind === "extract" ? citedIn(text) : (end?.cited ?? citedIn(text)));
  const open = (n: number) => {
    const source = sources.find((one) => one.n === n);
    if (source?.file !== undefined) openDocument(source.file, source.id);
  };
  return (
    <div class="answer-layout">
      <section class="answer" aria-busy={phase === "looking" || phase === "writing"} aria-label={words.title}>
        <p class="hidden" role="status">
          {phase === "looking"
            ? words.working
            : phase === "writing"
              ? words.writing
              : phase === "done"
                ? words.done
                : ""}
        </p>
        {end?.kind === "extract" && text !== "" && (
          <p class="badge-line">
            <span class="badge">{words.extract}</span>
            <span class="soft">{words.extractHint}</span>
          </p>
        )}
        {text !== "" ? (
          <Answer text={text} known={sources.map(({ n }) => n)} writing={phase === "writing"} onOpen={open} />
        ) : phase === "done" ? (
          <p>{words.nothing}</p>
        ) : phase === "looking" || phase === "writing" ? (
          <Waiting lines={5} label={words.working} />
        ) : null}
        {error !== undefined && <ErrorNote error={error} retry={retry} />}
        {phase === "stopped" && <p class="soft">{words.stopped}</p>}
        {(end?.unknownCitations.length ?? 0) > 0 && (
          <Note icon="warning">{words.unknown(end!.unknownCitations.join(", "))}</Note>
        )}
        {end?.notices.map(({ message }) => (
          <Note key={message}>
            <Said value={message} />
          </Note>
        ))}
        {phase === "done" && text !== "" && (
          <p>
            <button
              type="button"
              class="quiet"
              onClick={async () => {
                await navigator.clipboard.writeText(text);
                setCopied(true);
                setTimeout(() => setCopied(false), 2000);
              }}
            >
              <Icon name={copied ? "check" : "copy"} size={18} />
              <span role="status">{copied ? words.copied : words.copy}</span>
            </button>
          </p>
        )}
      </section>
      {sources.length > 0 && (
        <section class="sources" aria-labelledby="sources-title">
          <h2 id="sources-title">{words.sources}</h2>
          <ol>
            {sources.map((source) => (
              <li key={source.n} class={cited.has(source.n) ? "source cited" : "source"}>
                <button type="button" disabled={source.file === undefined} onClick={() => open(source.n)}>
                  <span class="hidden">{words.openSource(source.n)}: </span>
                  <span class="source-number">{source.n}</span>
                  <span class="source-body">
                    <span class="source-title">
                      <Said value={source.heading ?? source.file ?? source.id} />
                      {cited.has(source.n) && <span class="cited-note">{words.cited}</span>}
                    </span>
                    {source.file !== undefined && <FileName file={source.file} />}
                    <span class="source-text" dir="auto">
                      {source.text}
                    </span>
                  </span>
                </button>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

function citedIn(text: string): number[] {
  return [...text.matchAll(/\[(\d{1,3})\]/g)].map(([, n]) => Number(n));
}

/** Titles of a few documents, so that nobody begins before an empty page. */
function Suggestions({ onAsk }: { onAsk(question: string): void }) {
  const { value } = useLoaded(
    (signal) => api<{ documents: DocumentRecord[] }>("GET", inCollection("/documents?limit=200"), { signal }),
    [collection.value],
  );
  const titles = [...new Set((value?.documents ?? []).flatMap(({ title }) => (title ? [title] : [])))];
  const step = Math.max(1, Math.floor(titles.length / 6));
  const some = titles.filter((_, i) => i % step === 0).slice(0, 6);
  if (some.length === 0) return null;
  return (
    <section class="suggestions" aria-labelledby="about">
      <h2 id="about" class="small-title">
        {say().ask.about}
      </h2>
      <ul class="chips">
        {some.map((title) => (
          <li key={title}>
            <button type="button" class="chip" onClick={() => onAsk(title)}>
              <Said value={title} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
