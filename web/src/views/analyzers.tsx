/** Analyzers: the tokens that each makes of a text, side by side. */
import { useEffect, useId, useMemo, useState } from "preact/hooks";
import { failure, isAbort, request } from "../api/http.ts";
import { Choices } from "../parts/choices.tsx";
import { ErrorNote, Waiting } from "../parts/notes.tsx";
import { Said } from "../parts/said.tsx";
import { note, route } from "../state/route.ts";
import { harmless } from "../text/harmless.ts";
import { say } from "../text/index.ts";

const OFFERED = [
  "standard",
  "english",
  "cjk",
  "ik_max_word",
  "ik_smart",
  "simple",
  "whitespace",
  "stop",
  "keyword",
  "german",
  "french",
  "spanish",
];
const USUAL = ["standard", "cjk", "ik_max_word", "ik_smart", "english"];
const TEXT = "试用期内的员工能请几天婚假？ Managers were running two meetings.";
const LONGEST = 2000;
/** Tokens that are drawn. */
const SHOWN = 400;

interface Token {
  token: string;
  start_offset: number;
  end_offset: number;
  type: string;
  position: number;
  positionLength?: number;
}

interface Range {
  from: number;
  to: number;
}

export function Analyzers() {
  const words = say().analyzers;
  const id = useId();
  const { t, a } = route.value.params;
  const [text, setText] = useState(t ?? TEXT);
  const [own, setOwn] = useState("");
  const [looked, setLooked] = useState<Range>();
  const chosen = useMemo(() => (a === undefined ? USUAL : a.split(",").filter(Boolean)), [a]);
  const choose = (names: readonly string[]) => note({ a: names.join(",") || "," });
  const all = [...OFFERED, ...chosen.filter((name) => !OFFERED.includes(name))];
  useEffect(() => {
    const timer = setTimeout(() => note({ t: text === TEXT ? undefined : text }), 400);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class="analyzers">
      <header class="view-head">
        <h1>{words.title}</h1>
        <p class="lead">{words.intro}</p>
      </header>
      <div class="field">
        <label for={id}>{words.text}</label>
        <textarea
          id={id}
          data-question
          rows={3}
          maxLength={LONGEST}
          dir="auto"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </div>
      <Choices legend={words.choose} names={all} chosen={chosen} onChoose={choose}>
        <form
          class="own-analyzer"
          onSubmit={(event) => {
            event.preventDefault();
            const name = own.trim();
            if (name !== "" && !chosen.includes(name)) choose([...chosen, name]);
            setOwn("");
          }}
        >
          <label class="hidden" for={`${id}-own`}>
            {words.other}
          </label>
          <input
            id={`${id}-own`}
            value={own}
            placeholder={words.other}
            spellcheck={false}
            onInput={({ currentTarget }) => setOwn(currentTarget.value.replaceAll(",", ""))}
          />
        </form>
      </Choices>
      <p class="analyzed-text" dir="auto" aria-hidden="true">
        {looked ? (
          <>
            {text.slice(0, looked.from)}
            <mark>{text.slice(looked.from, looked.to)}</mark>
            {text.slice(looked.to)}
          </>
        ) : (
          text
        )}
      </p>
      <div class="analyzed">
        {chosen.map((name) => (
          <Analyzed key={name} name={name} text={text} onLook={setLooked} />
        ))}
      </div>
    </div>
  );
}

function Analyzed({ name, text, onLook }: { name: string; text: string; onLook(range: Range | undefined): void }) {
  const words = say().analyzers;
  const [tokens, setTokens] = useState<Token[]>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      analyze(name, text, stop.signal).then(
        (found) => {
          setTokens(found);
          setError(undefined);
        },
        (failed: unknown) => {
          if (!isAbort(failed)) setError(failed);
        },
      );
    }, 150);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [name, text]);
  return (
    <section class="analyzed-one" aria-label={harmless(name)}>
      <header>
        <h2>
          <Said value={name} />
        </h2>
        <span class="soft">{tokens && !error ? words.tokens(tokens.length) : ""}</span>
      </header>
      {error !== undefined ? (
        <ErrorNote error={error} />
      ) : !tokens ? (
        <Waiting lines={2} />
      ) : tokens.length === 0 ? (
        <p class="soft">{words.none}</p>
      ) : (
        <ol class="tokens">
          {tokens.slice(0, SHOWN).map((token, i) => (
            <li
              key={i}
              class="token"
              title={`${words.position} ${token.position} · ${words.offsets} ${token.start_offset}–${token.end_offset} · ${token.type}`}
              onMouseEnter={() => onLook({ from: token.start_offset, to: token.end_offset })}
              onMouseLeave={() => onLook(undefined)}
            >
              <span class="token-text">
                <Said value={token.token} />
              </span>
              <span class="token-place">
                <span class="hidden">{words.position} </span>
                {token.position}
                <span class="hidden">, {words.offsets}</span>{" "}
                <span class="token-offsets">
                  {token.start_offset}–{token.end_offset}
                </span>
              </span>
            </li>
          ))}
          {tokens.length > SHOWN && <li class="soft">{words.more(tokens.length - SHOWN)}</li>}
        </ol>
      )}
    </section>
  );
}

async function analyze(analyzer: string, text: string, signal: AbortSignal): Promise<Token[]> {
  const response = await request("POST", "/_analyze", { body: { analyzer, text }, signal });
  if (!response.ok) throw await failure(response);
  return ((await response.json()) as { tokens: Token[] }).tokens;
}
