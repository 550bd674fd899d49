/** Judged answers in a report. */
import type { AnswerResult } from "../judges/answers.ts";
import { escaped, shortened, threeDigits } from "./svg.ts";

/** The worst come first: they are what there is to learn from. */
export function answersPart({ name, judges, rows }: AnswerResult): string {
  const names = Object.keys(judges);
  const summary = names.map((judge) => {
    const { mean, low, high, questions } = judges[judge]!;
    return `<tr><td>${escaped(judge)}</td><td>${threeDigits(mean)}<small>${threeDigits(low)}–${threeDigits(high)}</small></td><td>${questions}</td></tr>`;
  });
  const worst = ({ scores }: AnswerResult["rows"][number]) => Math.min(1, ...Object.values(scores));
  const listed = [...rows].sort((a, b) => worst(a) - worst(b)).slice(0, 200);
  const list = listed.map(({ id, question, answer, scores, feedback }) => {
    const cells = names.map((judge) => {
      const wrong = feedback[judge] === undefined ? "" : `<small>${escaped(shortened(feedback[judge], 80))}</small>`;
      return `<td>${scores[judge] === undefined ? "" : threeDigits(scores[judge])}${wrong}</td>`;
    });
    return `<tr><td class="text">${escaped(shortened(question, 200))}<small>${escaped(shortened(id, 60))}</small></td><td class="text">${escaped(shortened(answer, 600))}</td>${cells.join("")}</tr>`;
  });
  const titles = ["question", "answer", ...names].map((title) => `<th>${escaped(title)}</th>`).join("");
  return `<section>
<h2>${escaped(`Answers to ${name}`)}</h2>
<p class="note">Judged by a language model; scores from 0 to 1, intervals over questions.</p>
<div class="wide"><table><thead><tr><th>judge</th><th>mean</th><th>questions</th></tr></thead><tbody>${summary.join("")}</tbody></table></div>
<div class="wide"><table><thead><tr>${titles}</tr></thead><tbody>${list.join("")}</tbody></table></div>
</section>`;
}
