/** huiliu strategies: what there is, and one in detail. */
import { type AnyStrategy, describeStrategy, STRATEGY_NAMES, strategyNamed } from "../../catalogue/index.ts";
import { type CommonOptions, type Context, EXIT } from "../context.ts";
import { jsonLine } from "../json.ts";
import { descriptionOf, flagOf, kindOf, unwrapped, valueText } from "../strategy-flags.ts";
import { terminalStyle, wantsColour } from "../terminal/style.ts";
import { table } from "../terminal/table.ts";
import { wrapSpans } from "../terminal/wrap.ts";

/** An option as a flag. */
export interface OptionRow {
  name: string;
  flag: string;
  kind: string;
  default?: unknown;
  description: string;
}

/** A strategy's options as the terminal and the documentation show them. */
export function optionRows(strategy: AnyStrategy): OptionRow[] {
  return Object.entries(strategy.options.shape).map(([key, schema]): OptionRow => {
    const { inner, fallback } = unwrapped(schema);
    return {
      name: key,
      flag: flagOf(key),
      kind: kindOf(inner),
      ...(fallback === undefined ? {} : { default: fallback }),
      description: descriptionOf(schema) ?? "",
    };
  });
}

export async function strategies({ io }: Context, name: string | undefined, options: CommonOptions): Promise<number> {
  if (name !== undefined) {
    const strategy = strategyNamed(name);
    io.out(options.json ? jsonLine(describeStrategy(strategy)) : detailText(strategy, io));
    return EXIT.ok;
  }
  const all = STRATEGY_NAMES.map((one) => describeStrategy(strategyNamed(one)));
  if (options.json) {
    io.out(jsonLine(all));
    return EXIT.ok;
  }
  const style = terminalStyle(wantsColour(io.outIsTerminal, io.env));
  for (const { name: one, title, goodFor, needs } of all) {
    const more = needs.length > 0 ? style.dim(`  (needs a ${needs.join(" and a ")})`) : "";
    io.out(`${style.bold(one)}${more}\n    ${title}\n    ${style.dim(`good for ${goodFor}`)}\n`);
  }
  io.out(`\nhuiliu strategies NAME shows the options of one; huiliu search QUESTION --strategy NAME uses it.\n`);
  return EXIT.ok;
}

function detailText(strategy: AnyStrategy, io: Context["io"]): string {
  const { name, title, goodFor, needs = [] } = strategy;
  const options = optionRows(strategy);
  const style = terminalStyle(wantsColour(io.outIsTerminal, io.env));
  const head = [`${style.bold(name)}: ${title}`, `Good for ${goodFor}.`];
  if (needs.length > 0) head.push(`Needs a ${needs.join(" and a ")}.`);
  if (options.length === 0) return `${head.join("\n")}\nIt has no options of its own.\n`;
  const rows = options.map(({ flag, kind, default: value }) => [
    flag,
    kind,
    value === undefined ? "" : valueText(value),
  ]);
  const lines = table([{ title: "option" }, { title: "value" }, { title: "default" }], rows, Number.POSITIVE_INFINITY);
  const width = Math.max(30, Math.min(io.columns - 1, 100) - 6);
  const body = options.flatMap(({ description }, i) => [
    lines[i + 1]!,
    ...wrapSpans(description, width).map(({ start, end }) => `      ${style.dim(description.slice(start, end))}`),
  ]);
  return `${[...head, "", lines[0]!, ...body].join("\n")}\n`;
}
