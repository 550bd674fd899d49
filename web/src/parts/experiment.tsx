/** One experiment of a report: tables, plots, and question by question. */
import { useId, useState } from "preact/hooks";
import type { Comparison, Experiment, QuestionResult } from "../api/reports.ts";
import { say } from "../text/index.ts";
import { probability } from "../text/values.ts";
import { Measured } from "./measured.tsx";
import { MeasureBars, QuestionScatter, RecallCurves } from "./plots.tsx";
import { Said } from "./said.tsx";
import { Scroll } from "./scroll.tsx";

/** Questions that are listed: those of which strategies differ most. */
const LISTED = 50;
const CURVES = 6;

export function ExperimentView({ experiment }: { experiment: Experiment }) {
  const words = say().reports;
  const id = useId();
  const { measures, strategies, baseline, questions } = experiment;
  const [measure, setMeasure] = useState(measures[0] ?? "");
  const others = strategies.map(({ name }) => name).filter((name) => name !== baseline);
  const [other, setOther] = useState(others[0]);
  const sorted = [...strategies].sort((a, b) => b.measures[measure]!.mean - a.measures[measure]!.mean);
  const curves = sorted.slice(0, CURVES).map(({ name }) => name);
  return (
    <section class="experiment" aria-labelledby={id}>
      <header>
        <h2 id={id}>
          <Said value={experiment.name} />
        </h2>
        <p class="soft">{words.about(questions.length, experiment.depth)}</p>
      </header>
      <div class="field narrow-field">
        <label for={`${id}-measure`}>{words.measure}</label>
        <select id={`${id}-measure`} value={measure} onChange={({ currentTarget }) => setMeasure(currentTarget.value)}>
          {measures.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <figure>
        <MeasureBars experiment={experiment} measure={measure} />
        <figcaption class="hint">{words.barsNote(measure)}</figcaption>
      </figure>
      <Scroll label={words.table}>
        <MeasureTable experiment={experiment} />
      </Scroll>
      <Comparisons title={words.against(baseline)} comparisons={experiment.comparisons} />
      <Comparisons title={words.parts} comparisons={experiment.parts} />
      <div class="plot-pair">
        <figure>
          <RecallCurves experiment={experiment} shown={curves} />
          <figcaption class="hint">{words.curves}</figcaption>
          <ul class="legend-list">
            {curves.map((name, i) => (
              <li key={name}>
                <span class={`swatch stream-${i % 6}`} />
                <Said value={name} />
              </li>
            ))}
          </ul>
        </figure>
        {other !== undefined && (
          <figure>
            <QuestionScatter experiment={experiment} a={baseline} b={other} />
            <figcaption class="hint">{words.scatter(baseline, other, measures[0] ?? "")}</figcaption>
            <select
              aria-label={words.choose}
              value={other}
              onChange={({ currentTarget }) => setOther(currentTarget.value)}
            >
              {others.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </figure>
        )}
      </div>
      <Questions experiment={experiment} />
    </section>
  );
}

function MeasureTable({ experiment: { measures, strategies } }: { experiment: Experiment }) {
  const words = say().reports;
  const best = measures.map((measure) => Math.max(...strategies.map((one) => one.measures[measure]!.mean)));
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{words.strategy}</th>
          {measures.map((measure) => (
            <th key={measure} scope="col" class="number">
              {measure}
            </th>
          ))}
          <th scope="col" class="number">
            {words.median}
          </th>
        </tr>
      </thead>
      <tbody>
        {strategies.map(({ name, measures: values, latency }) => (
          <tr key={name}>
            <th scope="row">
              <Said value={name} />
            </th>
            {measures.map((measure, i) => (
              <td key={measure} class={values[measure]!.mean === best[i] ? "number best" : "number"}>
                <Measured interval={values[measure]!} />
              </td>
            ))}
            <td class="number">{latency ? latency.p50.toFixed(1) : ""}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Comparisons({ title, comparisons }: { title: string; comparisons: readonly Comparison[] }) {
  const words = say().reports;
  if (comparisons.length === 0) return null;
  return (
    <div class="comparisons">
      <h3>{title}</h3>
      <Scroll label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.strategy}</th>
              <th scope="col">{words.than}</th>
              <th scope="col" class="number">
                {words.difference}
              </th>
              <th scope="col" class="number">
                p
              </th>
              <th scope="col">{words.verdict}</th>
            </tr>
          </thead>
          <tbody>
            {comparisons.map(({ a, b, pCorrected, verdict, ...difference }) => (
              <tr key={`${a} ${b}`}>
                <th scope="row">
                  <Said value={b} />
                </th>
                <td>
                  <Said value={a} />
                </td>
                <td class="number">
                  <Measured interval={difference} sign />
                </td>
                <td class="number">{probability(pCorrected)}</td>
                <td>
                  <span class={`verdict ${verdict.replaceAll(" ", "-")}`}>{words.verdicts[verdict] ?? verdict}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </div>
  );
}

/** How far strategies are apart on a question. */
function apart({ values }: QuestionResult): number {
  const first = Object.values(values).flatMap((list) => (list[0] === undefined ? [] : [list[0]]));
  return first.length === 0 ? 0 : Math.max(...first) - Math.min(...first);
}

function Questions({ experiment: { questions, measures } }: { experiment: Experiment }) {
  const words = say().reports;
  const listed = [...questions].sort((a, b) => apart(b) - apart(a)).slice(0, LISTED);
  return (
    <div class="questions">
      <h3>{words.questions}</h3>
      <p class="hint">{words.questionsNote(listed.length, measures[0] ?? "")}</p>
      {listed.map((question) => (
        <details key={question.id}>
          <summary>
            <Said value={question.text} />
          </summary>
          <ul class="question-values">
            {Object.entries(question.values)
              .sort(([, a], [, b]) => (b[0] ?? 0) - (a[0] ?? 0))
              .map(([name, values]) => (
                <li key={name}>
                  <span>
                    <Said value={name} />
                  </span>
                  <span class="bar-track">
                    <span class="bar-fill" style={{ width: `${Math.min(1, values[0] ?? 0) * 100}%` }} />
                  </span>
                  <span class="number">{(values[0] ?? 0).toFixed(3)}</span>
                  <ol class="question-found">
                    {question.found[name]?.slice(0, 5).map((document) => (
                      <li key={document} class={(question.relevant[document] ?? 0) > 0 ? "relevant" : ""}>
                        {(question.relevant[document] ?? 0) > 0 && <span class="hidden">{words.relevant}: </span>}
                        <Said value={document} />
                      </li>
                    ))}
                  </ol>
                </li>
              ))}
          </ul>
        </details>
      ))}
    </div>
  );
}
