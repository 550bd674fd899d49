/** Evaluation reports: those that the server has, and any that is opened from a file, which stays in the browser. */
import { useRef, useState } from "preact/hooks";
import { api, part } from "../api/http.ts";
import { type Report, readReport } from "../api/reports.ts";
import { ExperimentView } from "../parts/experiment.tsx";
import { Icon } from "../parts/icon.tsx";
import { JudgedAnswersView } from "../parts/judged-answers.tsx";
import { Empty, ErrorNote, Note, Waiting } from "../parts/notes.tsx";
import { Said } from "../parts/said.tsx";
import { TuningView } from "../parts/tuning.tsx";
import { useLoaded } from "../state/load.ts";
import { linkTo, note, route } from "../state/route.ts";
import { locale } from "../state/settings.ts";
import { harmless } from "../text/harmless.ts";
import { say } from "../text/index.ts";
import { byteSize, dateText } from "../text/values.ts";

interface Listed {
  folder?: string;
  reports: { name: string; modified: string; bytes: number }[];
}

export function Reports() {
  const words = say().reports;
  const { r } = route.value.params;
  const [own, setOwn] = useState<{ name: string; report?: Report; error?: unknown }>();
  const input = useRef<HTMLInputElement>(null);
  const list = useLoaded((signal) => api<Listed>("GET", "/reports", { signal }), []);
  const read = useLoaded(
    r ? async (signal) => checked(await api<unknown>("GET", `/reports/${part(r)}`, { signal })) : undefined,
    [r],
  );
  const open = async (file: File | undefined) => {
    if (!file) return;
    try {
      setOwn({ name: file.name, report: checked(JSON.parse(await file.text())) });
    } catch {
      setOwn({ name: file.name, error: new Error(words.notOne) });
    }
    note({ r: undefined });
  };
  const shown = own ?? (r ? { name: r, report: read.value, error: read.error } : undefined);
  return (
    <div class="reports">
      <header class="view-head row">
        <div>
          <h1>{words.title}</h1>
          <p class="lead">{words.intro}</p>
        </div>
        <button type="button" class="secondary" onClick={() => input.current?.click()}>
          <Icon name="upload" size={18} />
          {words.open}
        </button>
        <input
          ref={input}
          class="hidden"
          type="file"
          accept=".json,application/json"
          tabIndex={-1}
          aria-hidden="true"
          onChange={({ currentTarget }) => {
            void open(currentTarget.files?.[0]);
            currentTarget.value = "";
          }}
        />
      </header>
      {list.error !== undefined ? (
        <ErrorNote error={list.error} retry={list.reload} />
      ) : !list.value ? (
        <Waiting />
      ) : list.value.reports.length > 0 ? (
        <nav aria-label={words.title}>
          <ul class="report-list">
            {list.value.reports.map(({ name, modified, bytes }) => (
              <li key={name}>
                <a
                  class="chip"
                  href={linkTo("reports", { r: name })}
                  {...(r === name && !own ? { "aria-current": "true" as const } : {})}
                  onClick={() => setOwn(undefined)}
                >
                  <Said value={name} />
                  <span class="soft">
                    {dateText(modified, locale.value)} · {byteSize(bytes, locale.value)}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
      ) : (
        !shown && (
          <Empty icon="reports" title={words.empty}>
            <p>{words.emptyHint}</p>
            <pre class="command">
              <code>{`huiliu eval questions.jsonl --report ${harmless(list.value.folder ?? "reports")}/first.json`}</code>
            </pre>
            {list.value.folder === undefined && (
              <pre class="command">
                <code>huiliu serve --reports reports</code>
              </pre>
            )}
          </Empty>
        )
      )}
      {shown &&
        (shown.error !== undefined ? (
          <ErrorNote error={shown.error} />
        ) : !shown.report ? (
          <Waiting lines={8} />
        ) : (
          <article>
            <p class="soft">
              <Said value={shown.name} /> · {dateText(shown.report.made, locale.value)}
            </p>
            {isEmpty(shown.report) && <Note>{words.nothing}</Note>}
            {shown.report.experiments.map((experiment, i) => (
              <ExperimentView key={`${shown.name} ${i}`} experiment={experiment} />
            ))}
            {shown.report.answers.map((answers, i) => (
              <JudgedAnswersView key={`${shown.name} ${i}`} answers={answers} />
            ))}
            {shown.report.tunings.map((tuning, i) => (
              <TuningView key={`${shown.name} ${i}`} tuning={tuning} />
            ))}
          </article>
        ))}
    </div>
  );
}

const isEmpty = ({ experiments, answers, tunings }: Report) =>
  experiments.length + answers.length + tunings.length === 0;

function checked(value: unknown): Report {
  const report = readReport(value);
  if (!report) throw new Error(say().reports.notOne);
  return report;
}
