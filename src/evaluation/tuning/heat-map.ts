/** What a tuning tried, as maps over two parameters. The page of a report, the terminal and the playground draw them. */

interface Tried {
  readonly values: Readonly<Record<string, number>>;
  readonly mean: number;
}

interface Tuned {
  readonly tried: readonly Tried[];
  readonly chosen: Tried["values"];
}

export interface HeatMap {
  xName: string;
  yName: string;
  xs: readonly string[];
  ys: readonly string[];
  /** By y, then x; undefined was not tried. */
  values: readonly (readonly (number | undefined)[])[];
  /** Cells that are marked: what is chosen. */
  marked?: { x: number; y: number };
}

/** Values on an axis at most; of more, the best of neighbours is shown. */
const MOST = 14;

/** For each pair of parameters (or the only one) the best mean of each pair of values over all others. */
export function heatMaps({ tried, chosen }: Tuned): HeatMap[] {
  const names = [...new Set(tried.flatMap(({ values }) => Object.keys(values)))].filter(
    (name) => axisOf(tried, name).length > 1,
  );
  const pairs = names.flatMap((x, i) => names.slice(i + 1).map((y): [string, string] => [x, y]));
  const wanted: [string, string | undefined][] = pairs.length > 0 ? pairs : names.map((name) => [name, undefined]);
  return wanted.slice(0, 6).map(([x, y]) => mapOf(tried, chosen, x, y));
}

function mapOf(tried: readonly Tried[], chosen: Tried["values"], x: string, y: string | undefined): HeatMap {
  const xs = axisOf(tried, x);
  const ys = y === undefined ? [0] : axisOf(tried, y);
  const place = (axis: number[], value: number) => axis.findLastIndex((start) => start <= value + 1e-12);
  const values: (number | undefined)[][] = ys.map(() => xs.map(() => undefined));
  for (const { values: own, mean } of tried) {
    const [vx, vy] = [own[x], y === undefined ? 0 : own[y]];
    if (vx === undefined || vy === undefined) continue;
    const row = values[place(ys, vy)]!;
    const column = place(xs, vx);
    row[column] = Math.max(row[column] ?? Number.NEGATIVE_INFINITY, mean);
  }
  const [cx, cy] = [chosen[x], y === undefined ? 0 : chosen[y]];
  return {
    xName: x,
    yName: y ?? "",
    xs: xs.map(String),
    ys: y === undefined ? [""] : ys.map(String),
    values,
    ...(cx === undefined || cy === undefined ? {} : { marked: { x: place(xs, cx), y: place(ys, cy) } }),
  };
}

/** Where the cells of an axis begin. */
function axisOf(tried: readonly Tried[], name: string): number[] {
  const all = [...new Set(tried.flatMap(({ values }) => (values[name] === undefined ? [] : [values[name]])))].sort(
    (a, b) => a - b,
  );
  const step = Math.ceil(all.length / MOST);
  return all.filter((_, i) => i % step === 0);
}
