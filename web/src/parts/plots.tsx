/** Plots of an experiment. What they show stands in the tables too, so readers skip them. */
import type { Experiment } from "../api/reports.ts";
import { harmless } from "../text/harmless.ts";

const clip = (name: string, length = 22) => {
  const shown = harmless(name);
  return shown.length > length ? `${shown.slice(0, length - 1)}…` : shown;
};

/** One measure of each strategy, with the interval of its mean. */
export function MeasureBars({ experiment, measure }: { experiment: Experiment; measure: string }) {
  const rows = experiment.strategies
    .map(({ name, measures }) => ({ name, ...measures[measure]! }))
    .sort((a, b) => b.mean - a.mean);
  const left = 150;
  const width = 640;
  const row = 26;
  const height = rows.length * row + 26;
  const x = (value: number) => left + Math.min(1, Math.max(0, value)) * (width - left - 60);
  return (
    <svg class="plot" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
        <g key={tick}>
          <line class="plot-grid" x1={x(tick)} x2={x(tick)} y1={0} y2={height - 20} />
          <text class="plot-tick" x={x(tick)} y={height - 4} text-anchor="middle">
            {tick}
          </text>
        </g>
      ))}
      {rows.map(({ name, mean, low, high }, i) => {
        const y = i * row + 4;
        return (
          <g key={name}>
            <text class="plot-label" x={left - 10} y={y + 13} text-anchor="end">
              {clip(name)}
            </text>
            <rect
              class={name === experiment.baseline ? "plot-bar baseline" : "plot-bar"}
              x={x(0)}
              y={y}
              width={Math.max(0, x(mean) - x(0))}
              height={18}
              rx={3}
            />
            <path
              class="plot-range"
              d={`M${x(low)} ${y + 9}H${x(high)}M${x(low)} ${y + 4}v10M${x(high)} ${y + 4}v10`}
            />
            <text class="plot-value" x={x(Math.max(high, mean)) + 8} y={y + 13}>
              {mean.toFixed(3)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

const SIDE = 320;
const EDGE = 34;

/** Precision over recall, a line for each strategy. */
export function RecallCurves({ experiment, shown }: { experiment: Experiment; shown: readonly string[] }) {
  const x = (recall: number) => EDGE + recall * (SIDE - EDGE - 10);
  const y = (precision: number) => SIDE - EDGE - precision * (SIDE - EDGE - 10);
  return (
    <svg class="plot square" viewBox={`0 0 ${SIDE} ${SIDE}`} aria-hidden="true">
      <Grid x={x} y={y} />
      {experiment.strategies
        .filter(({ name }) => shown.includes(name))
        .map(({ name, precisionAtRecall: values }) => (
          <polyline
            key={name}
            class={`curve line-${shown.indexOf(name) % 6}`}
            points={values.map((value, i) => `${x(i / Math.max(1, values.length - 1))},${y(value)}`).join(" ")}
          />
        ))}
    </svg>
  );
}

/** Each question by two strategies: above the line the second is better. */
export function QuestionScatter({ experiment, a, b }: { experiment: Experiment; a: string; b: string }) {
  const x = (value: number) => EDGE + value * (SIDE - EDGE - 10);
  const y = (value: number) => SIDE - EDGE - value * (SIDE - EDGE - 10);
  const points = new Map<string, { x: number; y: number; count: number }>();
  for (const { values } of experiment.questions) {
    const [at, up] = [values[a]?.[0], values[b]?.[0]];
    if (at === undefined || up === undefined) continue;
    const key = `${at.toFixed(2)} ${up.toFixed(2)}`;
    const known = points.get(key);
    if (known) known.count++;
    else points.set(key, { x: at, y: up, count: 1 });
  }
  return (
    <svg class="plot square" viewBox={`0 0 ${SIDE} ${SIDE}`} aria-hidden="true">
      <Grid x={x} y={y} />
      <line class="plot-diagonal" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
      {[...points.values()].map((point) => (
        <circle
          key={`${point.x} ${point.y}`}
          class={point.y > point.x ? "map-point fill-0" : point.y < point.x ? "map-point fill-1" : "map-point fill-4"}
          cx={x(point.x)}
          cy={y(point.y)}
          r={Math.min(14, 3 + Math.sqrt(point.count) * 1.6)}
        />
      ))}
    </svg>
  );
}

function Grid({ x, y }: { x(value: number): number; y(value: number): number }) {
  return (
    <>
      {[0, 0.5, 1].map((tick) => (
        <g key={tick}>
          <path class="plot-grid" d={`M${x(tick)} ${y(0)}V${y(1)}M${x(0)} ${y(tick)}H${x(1)}`} />
          <text class="plot-tick" x={x(tick)} y={y(0) + 16} text-anchor="middle">
            {tick}
          </text>
          <text class="plot-tick" x={x(0) - 6} y={y(tick) + 4} text-anchor="end">
            {tick}
          </text>
        </g>
      ))}
    </>
  );
}
