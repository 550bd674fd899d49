/** A tuning: what came of it, all that was tried as maps, and what each fold chose. */
import { type HeatMap, heatMaps } from "../../../src/evaluation/tuning/heat-map.ts";
import type { Tuning } from "../api/reports.ts";
import { say } from "../text/index.ts";
import { probability } from "../text/values.ts";
import { Measured } from "./measured.tsx";
import { Said } from "./said.tsx";
import { Scroll } from "./scroll.tsx";

export function TuningView({ tuning }: { tuning: Tuning }) {
  const words = say().reports;
  const { name, measure, questions, verdict, gain, present, tuned, chosen, folds } = tuning;
  return (
    <section class="experiment">
      <header>
        <h2>
          <Said value={words.tuning(name)} />
        </h2>
        <p class="soft">{words.tuningNote(questions, folds.length)}</p>
      </header>
      <p>
        <span class={`verdict ${VERDICTS[verdict] ?? ""}`}>{words.tuned[verdict] ?? verdict}</span>{" "}
        {words.chosen(valuesText(chosen))}
      </p>
      <Scroll label={words.gain}>
        <table>
          <thead>
            <tr>
              {[measure, words.present, words.tunedValues, words.difference, "p"].map((title, i) => (
                <th key={title} scope="col" class={i === 0 ? "" : "number"}>
                  <Said value={title} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{words.held}</th>
              <td class="number">
                <Measured interval={present} />
              </td>
              <td class="number">
                <Measured interval={tuned} />
              </td>
              <td class="number">
                <Measured interval={gain} sign />
              </td>
              <td class="number">{probability(gain.p)}</td>
            </tr>
          </tbody>
        </table>
      </Scroll>
      {heatMaps(tuning).map((map) => (
        <figure key={`${map.xName} ${map.yName}`}>
          <Scroll label={words.mapOf(map.xName, map.yName)}>
            <Heat map={map} />
          </Scroll>
          <figcaption class="hint">{words.mapNote(measure)}</figcaption>
        </figure>
      ))}
      <div class="comparisons">
        <h3>{words.folds}</h3>
        <Scroll label={words.folds}>
          <table>
            <thead>
              <tr>
                {[words.fold, words.judged, words.chosenThere, words.there, words.here].map((title, i) => (
                  <th key={title} scope="col" class={i === 1 || i > 2 ? "number" : ""}>
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {folds.map((fold, i) => (
                <tr key={i}>
                  <th scope="row">{i + 1}</th>
                  <td class="number">{fold.questions}</td>
                  <td>
                    <Said value={valuesText(fold.chosen)} />
                  </td>
                  <td class="number">{fold.chosenOn.toFixed(3)}</td>
                  <td class="number">{fold.measuredOn.toFixed(3)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </div>
    </section>
  );
}

/** Verdicts in the words of comparisons, whose look they have. */
const VERDICTS: Record<string, string> = { gain: "better", loss: "worse" };

function valuesText(values: Record<string, number>): string {
  const parts = Object.entries(values).map(([name, value]) => `${name} ${value}`);
  return parts.length === 0 ? say().reports.presentValues : parts.join(", ");
}

/** Share of the accent in the best cell, on which the text can still be read in light and dark. */
const DARKEST = 45;

/** The better the darker; the chosen cell has an edge, and says so. */
function Heat({ map: { xName, yName, xs, ys, values, marked } }: { map: HeatMap }) {
  const words = say().reports;
  const known = values.flat().filter((value) => value !== undefined);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return (
    <table class="heat">
      <thead>
        <tr>
          <th scope="col">
            <Said value={yName === "" ? xName : `${yName} ↓ ${xName} →`} />
          </th>
          {xs.map((x) => (
            <th key={x} scope="col" class="number">
              {x}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ys.map((y, row) => (
          <tr key={y}>
            <th scope="row" class="number">
              {y}
            </th>
            {xs.map((x, column) => {
              const value = values[row]?.[column];
              if (value === undefined) return <td key={x} />;
              const share = high > low ? (value - low) / (high - low) : 1;
              const chosen = marked?.x === column && marked.y === row;
              return (
                <td
                  key={x}
                  class={chosen ? "number chosen" : "number"}
                  style={{ "--share": `${Math.round(DARKEST * share)}%` }}
                >
                  {value.toFixed(3)}
                  {chosen && <span class="hidden"> {words.isChosen}</span>}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
