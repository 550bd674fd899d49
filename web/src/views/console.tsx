/** Console: a request to Elasticsearch's routes as it is written, and the answer as it comes. */
import { useId, useState } from "preact/hooks";
import { request } from "../api/http.ts";
import { ErrorNote, Waiting } from "../parts/notes.tsx";
import { collection } from "../state/collections.ts";
import { useStarted } from "../state/load.ts";
import { say } from "../text/index.ts";

const METHODS = ["GET", "POST", "PUT", "DELETE", "HEAD"];
/** Characters of an answer that are drawn. */
const SHOWN = 200_000;

interface Answer {
  status: number;
  ms: number;
  text: string;
}

function first(): { path: string; body: string } {
  const body = {
    query: { match: { content: "leave" } },
    size: 3,
    _source: ["content", "metadata.file"],
    highlight: { fields: { content: {} } },
  };
  return { path: `/${collection.value ?? "_all"}/_search`, body: JSON.stringify(body, null, 2) };
}

export function Console() {
  const words = say().console;
  const id = useId();
  const [method, setMethod] = useState("POST");
  const [path, setPath] = useState(() => first().path);
  const [body, setBody] = useState(() => first().body);
  const answer = useStarted<Answer>();
  const send = () =>
    answer.start(async (signal) => {
      const from = performance.now();
      // fetch sends no body with GET; Elasticsearch takes such requests by POST too.
      const hasBody = body.trim() !== "" && method !== "HEAD" && method !== "GET";
      const response = await request(method, path.startsWith("/") ? path : `/${path}`, {
        signal,
        ...(hasBody ? { body: body.endsWith("\n") ? body : `${body}\n` } : {}),
      });
      const text = await response.text();
      return { status: response.status, ms: Math.round(performance.now() - from), text: pretty(text) };
    });
  const { value, error, loading } = answer;
  return (
    <div class="console">
      <header class="view-head">
        <h1>{words.title}</h1>
        <p class="lead">{words.intro}</p>
      </header>
      <form
        class="console-form"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <div class="console-line">
          <label class="hidden" for={`${id}-method`}>
            {words.method}
          </label>
          <select id={`${id}-method`} value={method} onChange={({ currentTarget }) => setMethod(currentTarget.value)}>
            {METHODS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <label class="hidden" for={`${id}-path`}>
            {words.path}
          </label>
          <input
            id={`${id}-path`}
            class="code"
            value={path}
            spellcheck={false}
            autocapitalize="off"
            onInput={({ currentTarget }) => setPath(currentTarget.value)}
          />
          <button type="submit" class="primary" disabled={path.trim() === ""}>
            {words.send}
          </button>
        </div>
        <div class="field">
          <label for={`${id}-body`}>{words.body}</label>
          <textarea
            id={`${id}-body`}
            class="code"
            data-question
            rows={12}
            spellcheck={false}
            value={body}
            disabled={method === "GET" || method === "HEAD"}
            aria-describedby={`${id}-hint`}
            onInput={({ currentTarget }) => setBody(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              send();
            }}
          />
          <p class="hint" id={`${id}-hint`}>
            {words.hint}
          </p>
        </div>
      </form>
      <section class="console-answer" aria-label={words.answer} aria-busy={loading}>
        <p class="result-line" role="status">
          {value && error === undefined && (
            <>
              <span class={value.status < 400 ? "badge" : "badge bad-badge"}>{value.status}</span>
              {say().ms(value.ms)}
            </>
          )}
        </p>
        {error !== undefined ? (
          <ErrorNote error={error} />
        ) : loading && !value ? (
          <Waiting />
        ) : (
          value && (
            <pre>
              <code>{value.text.slice(0, SHOWN) || "—"}</code>
            </pre>
          )
        )}
      </section>
    </div>
  );
}

/** JSON is indented; its numbers stay as they were written, wherever JavaScript reads them back as the same. */
function pretty(text: string): string {
  if (text.length > SHOWN) return text;
  try {
    const read = JSON.stringify(JSON.parse(text), null, 2);
    return read.replace(/\s/g, "") === text.replace(/\s/g, "") ? read : text;
  } catch {
    return text;
  }
}
