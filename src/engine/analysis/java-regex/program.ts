/**
 * A matcher that never takes more than the length of the text times that of the pattern: a program for a machine that tries alternatives in
 * Java's order and remembers, of each choice and place, that it led nowhere. What a pattern with back references does depends on more than
 * those two, so that it is given a number of steps instead.
 */
import { illegalArgument, unsupported } from "../../errors.ts";
import type { Node, Tree } from "./parse.ts";

type Instruction =
  | { readonly op: "char"; readonly accepts: (codePoint: number) => boolean }
  | { readonly op: "place"; readonly holds: (text: string, at: number) => boolean }
  | { readonly op: "save"; readonly slot: number }
  /** Tries one and then the other; `index` counts these instructions. */
  | { readonly op: "split"; first: number; second: number; readonly index: number }
  | { readonly op: "jump"; to: number }
  | { readonly op: "back"; readonly index: number }
  /** At the end of a repeated part: where it matched nothing, it is not repeated again. */
  | { readonly op: "progress"; readonly slot: number; readonly again: number }
  /** A program of its own that either fails or ends at one place. */
  | { readonly op: "atomic"; readonly body: Program }
  | { readonly op: "look"; readonly behind: boolean; readonly negative: boolean; readonly body: Program }
  | { readonly op: "end" };

export interface Program {
  readonly code: readonly Instruction[];
  readonly splits: number;
  readonly remembers: boolean;
}

/** Repetitions are written out; more than these instructions are refused. */
const MAX_INSTRUCTIONS = 20_000;
const MAX_STEPS = 5_000_000;
/** Bits that are kept for one text. */
const MAX_MEMORY = 1 << 28;

function accepting(set: string, unicodeCase: boolean): (codePoint: number) => boolean {
  const regex = new RegExp(`^${set}$`, unicodeCase ? "vi" : "v");
  const known = new Map<number, boolean>();
  return (codePoint) => {
    let accepts = known.get(codePoint);
    if (accepts === undefined) {
      accepts = regex.test(String.fromCodePoint(codePoint));
      known.set(codePoint, accepts);
    }
    return accepts;
  };
}

function isWithinPair(text: string, at: number): boolean {
  return at > 0 && (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}

function holding(test: string, withinPair: boolean): (text: string, at: number) => boolean {
  const regex = new RegExp(test, "vy");
  return (text, at) => {
    if (isWithinPair(text, at)) return withinPair;
    regex.lastIndex = at;
    return regex.test(text);
  };
}

export function matchesNothing(node: Node): boolean {
  switch (node.kind) {
    case "char":
      return false;
    case "all":
      return node.items.every(matchesNothing);
    case "any":
      return node.items.some(matchesNothing);
    case "group":
    case "atomic":
      return matchesNothing(node.body);
    case "repeat":
      return node.min === 0 || matchesNothing(node.body);
    default:
      return true;
  }
}

const hasBack = (node: Node): boolean =>
  node.kind === "back" || ("body" in node && hasBack(node.body)) || ("items" in node && node.items.some(hasBack));

export function compileProgram(tree: Tree): Program {
  let size = 0;
  // Behind the slots of the groups.
  let slots = 2 * tree.groups + 2;
  const build = (root: Node): Program => {
    const code: Instruction[] = [];
    let splits = 0;
    const emit = <T extends Instruction>(instruction: T): T => {
      if (++size > MAX_INSTRUCTIONS) throw unsupported(`a pattern of more than ${MAX_INSTRUCTIONS} steps`);
      code.push(instruction);
      return instruction;
    };
    const split = (lazy: boolean, body: () => void, after: () => number) => {
      const choice = emit({ op: "split" as const, first: 0, second: 0, index: splits++ });
      const inside = code.length;
      body();
      const outside = after();
      choice.first = lazy ? outside : inside;
      choice.second = lazy ? inside : outside;
    };
    const repeat = ({ body, min, max, mode }: Extract<Node, { kind: "repeat" }>) => {
      const lazy = mode === "lazy";
      for (let i = 0; i < min; i++) write(body);
      if (max === Number.POSITIVE_INFINITY) {
        const start = code.length;
        const loop = () => {
          if (!matchesNothing(body)) {
            write(body);
            emit({ op: "jump", to: start });
            return;
          }
          const slot = slots++;
          emit({ op: "save", slot });
          write(body);
          emit({ op: "progress", slot, again: start });
        };
        split(lazy, loop, () => code.length);
        return;
      }
      const choices: Extract<Instruction, { op: "split" }>[] = [];
      for (let i = min; i < max; i++) {
        choices.push(emit({ op: "split", first: code.length + 1, second: 0, index: splits++ }));
        write(body);
      }
      for (const choice of choices) {
        if (lazy) {
          choice.second = choice.first;
          choice.first = code.length;
        } else choice.second = code.length;
      }
    };
    const write = (node: Node): void => {
      switch (node.kind) {
        case "char":
          emit({ op: "char", accepts: accepting(node.set, tree.unicodeCase) });
          break;
        case "place":
          emit({ op: "place", holds: holding(node.test, node.withinPair === true) });
          break;
        case "all":
          for (const item of node.items) write(item);
          break;
        case "any": {
          const jumps: Extract<Instruction, { op: "jump" }>[] = [];
          node.items.forEach((item, i) => {
            if (i === node.items.length - 1) write(item);
            else {
              const choice = emit({ op: "split" as const, first: code.length + 1, second: 0, index: splits++ });
              write(item);
              jumps.push(emit({ op: "jump", to: 0 }));
              choice.second = code.length;
            }
          });
          for (const jump of jumps) jump.to = code.length;
          break;
        }
        case "group":
          emit({ op: "save", slot: 2 * node.index });
          write(node.body);
          emit({ op: "save", slot: 2 * node.index + 1 });
          break;
        case "repeat":
          if (node.mode === "possessive") emit({ op: "atomic", body: build({ ...node, mode: "greedy" }) });
          else repeat(node);
          break;
        case "atomic":
          emit({ op: "atomic", body: build(node.body) });
          break;
        case "look":
          emit({ op: "look", behind: node.behind, negative: node.negative, body: build(node.body) });
          break;
        case "back":
          emit({ op: "back", index: node.index });
      }
    };
    write(root);
    emit({ op: "end" });
    return { code, splits, remembers: !hasBack(tree.root) };
  };
  return build(tree.root);
}

/** What a run over a text shares. */
interface Run {
  readonly text: string;
  /** Steps of programs that remember nothing. */
  steps: number;
}

/** Notes that a choice is tried at a place; true where it was tried before. */
type Tried = (choice: number, at: number) => boolean;

/** For parts that run by themselves, each time anew. */
function smallMemory({ splits, remembers }: Program): Tried | undefined {
  if (!remembers || splits === 0) return undefined;
  const tried = new Set<number>();
  return (choice, at) => tried.size === tried.add(at * splits + choice).size;
}

/** The slots (start and end of each group) where the program matches from a place on, undefined where it does not. */
function runAt(
  program: Program,
  run: Run,
  from: number,
  slots: readonly number[],
  tried: Tried | undefined,
  mustEnd?: number,
): { end: number; slots: readonly number[] } | undefined {
  const { code } = program;
  const { text } = run;
  const stack: { pc: number; at: number; slots: readonly number[] }[] = [{ pc: 0, at: from, slots }];
  while (stack.length > 0) {
    let { pc, at, slots: saved } = stack.pop() as (typeof stack)[number];
    for (;;) {
      const instruction = code[pc];
      if (instruction.op === "end") {
        if (mustEnd !== undefined && at !== mustEnd) break;
        return { end: at, slots: saved };
      }
      if (instruction.op === "char") {
        const codePoint = text.codePointAt(at);
        if (codePoint === undefined || !instruction.accepts(codePoint)) break;
        at += codePoint > 0xffff ? 2 : 1;
        pc++;
      } else if (instruction.op === "place") {
        if (!instruction.holds(text, at)) break;
        pc++;
      } else if (instruction.op === "save") {
        const copy = saved.slice();
        copy[instruction.slot] = at;
        saved = copy;
        pc++;
      } else if (instruction.op === "split") {
        if (tried === undefined) {
          if (++run.steps > MAX_STEPS) throw illegalArgument("a pattern takes too many steps on a text");
        } else if (tried(instruction.index, at)) break;
        stack.push({ pc: instruction.second, at, slots: saved });
        pc = instruction.first;
      } else if (instruction.op === "jump") pc = instruction.to;
      else if (instruction.op === "progress") pc = saved[instruction.slot] === at ? pc + 1 : instruction.again;
      else if (instruction.op === "back") {
        const start = saved[2 * instruction.index];
        const stop = saved[2 * instruction.index + 1];
        if (start === undefined || stop === undefined || !text.startsWith(text.slice(start, stop), at)) break;
        at += stop - start;
        pc++;
      } else if (instruction.op === "atomic") {
        const inner = runAt(instruction.body, run, at, saved, smallMemory(instruction.body));
        if (inner === undefined) break;
        at = inner.end;
        saved = inner.slots;
        pc++;
      } else {
        let inner: ReturnType<typeof runAt>;
        if (!instruction.behind) inner = runAt(instruction.body, run, at, saved, smallMemory(instruction.body));
        else
          for (let s = at; s >= 0 && inner === undefined; s--)
            inner = runAt(instruction.body, run, s, saved, smallMemory(instruction.body), at);
        if ((inner === undefined) !== instruction.negative) break;
        if (inner !== undefined) saved = inner.slots;
        pc++;
      }
    }
  }
  return undefined;
}

/** Matches one after the other, as `Matcher.find` finds them. */
export function* runProgram(
  program: Program,
  text: string,
): Generator<{ start: number; end: number; slots: readonly number[] }> {
  const run: Run = { text, steps: 0 };
  const { splits } = program;
  const bits = (text.length + 1) * splits;
  if (program.remembers && bits > MAX_MEMORY) throw illegalArgument("a pattern takes too much memory on a text");
  const bytes = new Uint8Array(program.remembers ? (bits >> 3) + 1 : 0);
  let last = 0;
  const tried: Tried = (choice, at) => {
    const bit = at * splits + choice;
    const byte = bytes[bit >> 3];
    const mask = 1 << (bit & 7);
    if ((byte & mask) !== 0) return true;
    bytes[bit >> 3] = byte | mask;
    if (at > last) last = at;
    return false;
  };
  for (let start = 0; start <= text.length; ) {
    last = start;
    const found = runAt(program, run, start, [], program.remembers ? tried : undefined);
    if (found !== undefined) {
      yield { start, ...found };
      // What led to the match is not what led nowhere.
      bytes.fill(0, (start * splits) >> 3, (((last + 1) * splits) >> 3) + 1);
    }
    if (found === undefined) start += (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
    // After nothing, Java goes on one unit further, even within a pair.
    else start = found.end > start ? found.end : start + 1;
  }
}
