/**
 * How far a long piece of work is, on stderr: one line that is redrawn on a terminal, a line every few seconds otherwise (logs, CI).
 */
import type { Progress } from "../../schema/index.ts";
import type { Io } from "../context.ts";
import { nameLine, truncateStart, width } from "./text.ts";

const REDRAW_MS = 100;
const LINE_EVERY_MS = 5000;
const BAR = 20;

export interface ProgressOptions {
  write(text: string): void;
  /** Whether the line can be redrawn. */
  terminal: boolean;
  columns: number;
  /** Milliseconds. */
  now(): number;
  /** What is counted. Default `files`. */
  unit?: string;
}

export interface ProgressDisplay {
  update(progress: Progress): void;
  /** A line above the bar. */
  line(text: string): void;
  /** Removes the bar. */
  end(): void;
}

/** The display on a command's stderr; none where it is to be quiet. */
export function commandProgress(
  io: Pick<Io, "err" | "errIsTerminal" | "columns" | "now">,
  { quiet = false, unit }: { quiet?: boolean | undefined; unit?: string } = {},
): ProgressDisplay | undefined {
  if (quiet) return undefined;
  const { err: write, errIsTerminal: terminal, columns, now } = io;
  return progressDisplay({ write, terminal, columns, now, ...(unit === undefined ? {} : { unit }) });
}

export function progressDisplay({ write, terminal, columns, now, unit }: ProgressOptions): ProgressDisplay {
  const started = now();
  let shown = false;
  let last = terminal ? Number.NEGATIVE_INFINITY : started;
  let latest: Progress | undefined;

  const erase = () => {
    if (shown) write("\r\u001b[K");
    shown = false;
  };

  const draw = (progress: Progress) => {
    latest = progress;
    const seconds = (now() - started) / 1000;
    if (!terminal) {
      write(`${counts(progress, unit)}${rate(progress, seconds)}\n`);
      return;
    }
    write(`\r\u001b[K${progressLine(progress, seconds, columns, unit)}`);
    shown = true;
  };

  return {
    update(progress) {
      latest = progress;
      const time = now();
      if (time - last < (terminal ? REDRAW_MS : LINE_EVERY_MS)) return;
      last = time;
      draw(progress);
    },
    line(text) {
      erase();
      write(`${text}\n`);
      if (terminal && latest) draw(latest);
    },
    end: erase,
  };
}

/** The redrawn line: bar, counts, rate and the file that is being worked on, at most `columns` − 1 wide (a full line would wrap). */
export function progressLine(progress: Progress, seconds: number, columns: number, unit?: string): string {
  const { done, total, file } = progress;
  const share = total > 0 ? Math.min(1, done / total) : 0;
  const filled = Math.round(share * BAR);
  const bar = columns >= 60 ? `${"█".repeat(filled)}${"░".repeat(BAR - filled)} ` : "";
  const head = `${bar}${counts(progress, unit)}${rate(progress, seconds)}`;
  const left = columns - 1 - width(head) - 2;
  return file !== undefined && left >= 8 ? `${head}  ${truncateStart(nameLine(file), left)}` : head;
}

function counts({ done, total }: Progress, unit = "files"): string {
  return `${done}/${total} ${unit}`;
}

function rate({ done }: Progress, seconds: number): string {
  if (done === 0 || seconds < 0.5) return "";
  const value = done / seconds;
  return `, ${value >= 10 ? Math.round(value) : value.toFixed(1)}/s`;
}
