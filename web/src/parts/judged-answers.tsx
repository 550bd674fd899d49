/** Answers that a language model judged: the mean of each judge, then every answer, the worst first. */
import type { JudgedAnswers } from "../api/reports.ts";
import { say } from "../text/index.ts";
import { Measured } from "./measured.tsx";
import { Said } from "./said.tsx";
import { Scroll } from "./scroll.tsx";

/** Answers that are listed. */
const LISTED = 100;

const worst = ({ scores }: JudgedAnswers["rows"][number]) => Math.min(1, ...Object.values(scores));

export function JudgedAnswersView({ answers: { name, judges, rows } }: { answers: JudgedAnswers }) {
  const words = say().reports;
  const listed = [...rows].sort((a, b) => worst(a) - worst(b)).slice(0, LISTED);
  return (
    <section class="experiment">
      <header>
        <h2>
          <Said value={words.answers(name)} />
        </h2>
        <p class="soft">{words.answersNote}</p>
      </header>
      <Scroll label={words.judges}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.judge}</th>
              <th scope="col" class="number">
                {words.mean}
              </th>
              <th scope="col" class="number">
                {words.judged}
              </th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(judges).map(([judge, interval]) => (
              <tr key={judge}>
                <th scope="row">
                  <Said value={judge} />
                </th>
                <td class="number">
                  <Measured interval={interval} />
                </td>
                <td class="number">{interval.questions}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <div class="questions">
        <h3>{words.eachAnswer}</h3>
        {rows.length > listed.length && <p class="hint">{words.worst(listed.length)}</p>}
        {listed.map((row) => (
          <details key={row.id}>
            <summary>
              <Said value={row.question} />
              <span class="marks">
                {Object.entries(row.scores).map(([judge, score]) => (
                  <span key={judge} class={score < 0.5 ? "badge bad-badge" : "badge"}>
                    <Said value={judge} /> {score.toFixed(2)}
                  </span>
                ))}
              </span>
            </summary>
            <div class="judged">
              <p class="judged-answer" dir="auto">
                <Said value={row.answer} />
              </p>
              {Object.entries(row.feedback).map(([judge, feedback]) => (
                <p key={judge} class="hint">
                  <Said value={judge} />: <Said value={feedback} />
                </p>
              ))}
            </div>
          </details>
        ))}
      </div>
    </section>
  );
}
