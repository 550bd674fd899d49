/** Compiles Java's date patterns to elements, by the rules of java.time.format.DateTimeFormatterBuilder. */
import { illegalArgument, unsupported } from "../../errors.ts";
import { type Element, type NumberField, numberElement } from "./pattern.ts";

/** Java's names of months and days for the root locale. */
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

export function compilePattern(pattern: string): Element[] {
  const stack: Element[][] = [[]];
  // What Java does not take is told before what is not supported here.
  let refused: string | undefined;
  let i = 0;
  while (i < pattern.length) {
    const c = pattern[i];
    if (/[A-Za-z]/.test(c)) {
      let count = 1;
      while (pattern[i + count] === c) count++;
      const elements = letters(c, count);
      if (elements === undefined) refused ??= c.repeat(count);
      else stack[stack.length - 1].push(...elements);
      i += count;
    } else if (c === "'") {
      let text = "";
      let j = i + 1;
      for (; ; j++) {
        if (j >= pattern.length) throw illegalArgument(`Pattern ends with an incomplete string literal: ${pattern}`);
        if (pattern[j] !== "'") text += pattern[j];
        else if (pattern[j + 1] === "'") {
          text += "'";
          j++;
        } else break;
      }
      stack[stack.length - 1].push({ kind: "literal", text: j === i + 1 ? "'" : text });
      i = j + 1;
    } else if (c === "[") {
      stack.push([]);
      i++;
    } else if (c === "]") {
      const elements = stack.pop() as Element[];
      if (stack.length === 0) throw illegalArgument("Pattern invalid as it contains ] without previous [");
      stack[stack.length - 1].push({ kind: "optional", elements: reserveWidths(elements) });
      i++;
    } else if (c === "{" || c === "}" || c === "#") {
      throw illegalArgument(`Pattern includes reserved character: '${c}'`);
    } else {
      stack[stack.length - 1].push({ kind: "literal", text: c });
      i++;
    }
  }
  while (stack.length > 1) {
    const elements = stack.pop() as Element[];
    stack[stack.length - 1].push({ kind: "optional", elements: reserveWidths(elements) });
  }
  if (refused !== undefined) throw unsupported(`date format letters [${refused}]`);
  return reserveWidths(stack[0]);
}

/** Adjacent value parsing: a number of variable width leaves the digits that the fixed numbers right after it need. */
function reserveWidths(elements: Element[]): Element[] {
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i];
    if (element.kind !== "number") continue;
    for (let j = i + 1; j < elements.length; j++) {
      const next = elements[j];
      const width = next.kind === "number" && next.min === next.max ? next.max : next.kind === "reducedYear" ? 2 : 0;
      if (width === 0) break;
      element.reserve += width;
    }
    if (element.min === element.max) element.reserve = 0;
  }
  return elements;
}

function oneOrTwo(field: NumberField, letter: string, count: number): Element[] {
  if (count === 1) return [numberElement(field, 1, 19, "normal")];
  if (count === 2) return [numberElement(field, 2)];
  throw illegalArgument(`Too many pattern letters: ${letter}`);
}

/** The year of an era (`y`) begins with 1. */
function yearElement(field: "year" | "weekYear", count: number, ofEra: boolean): Element {
  if (count === 2) return { kind: "reducedYear", field };
  return {
    ...numberElement(field, count, 19, count < 4 ? "normal" : "exceeds"),
    least: ofEra ? 1 : undefined,
  } as Element;
}

/** Undefined: Java's, and not supported here. */
function letters(letter: string, count: number): Element[] | undefined {
  switch (letter) {
    case "y":
    case "u":
      return [yearElement("year", count, letter === "y")];
    case "M":
    case "L":
      if (count <= 2) return oneOrTwo("month", letter, count);
      if (count === 3)
        return [{ kind: "names", field: "month", names: MONTHS.map((name) => name.slice(0, 3)), from: 1 }];
      if (count === 4) return [{ kind: "names", field: "month", names: MONTHS, from: 1 }];
      break;
    case "d":
      return oneOrTwo("day", letter, count);
    case "D":
      if (count === 1) return [numberElement("dayOfYear", 1, 19, "normal")];
      if (count <= 3) return [numberElement("dayOfYear", count, 3)];
      throw illegalArgument("Too many pattern letters: D");
    case "H":
      return oneOrTwo("hour", letter, count);
    case "h":
      return oneOrTwo("clockHour", letter, count);
    case "K":
      return oneOrTwo("hourOfHalf", letter, count);
    case "m":
      return oneOrTwo("minute", letter, count);
    case "s":
      return oneOrTwo("second", letter, count);
    case "S":
      if (count > 9) throw illegalArgument(`The minimum width must be from 0 to 9 inclusive but was ${count}`);
      return [{ kind: "fraction", min: count, max: count, point: "" }];
    case "n":
      return [numberElement("nano", count, 19, count === 1 ? "normal" : "never")];
    case "a":
      if (count === 1) return [{ kind: "names", field: "ampm", names: ["AM", "PM"], from: 0 }];
      throw illegalArgument("Too many pattern letters: a");
    case "E":
      if (count <= 3)
        return [{ kind: "names", field: "weekday", names: DAYS.map((name) => name.slice(0, 3)), from: 1 }];
      if (count === 4) return [{ kind: "names", field: "weekday", names: DAYS, from: 1 }];
      break;
    case "X":
    case "x": {
      if (count > 5) throw illegalArgument(`Too many pattern letters: ${letter}`);
      const zero = letter === "X" ? "Z" : ["", "+00", "+0000", "+00:00", "+0000", "+00:00"][count];
      return [
        {
          kind: "offset",
          colon: count === 3 || count === 5 ? "yes" : "no",
          minutes: count === 1 ? "optional" : "required",
          seconds: count > 3,
          zero,
        },
      ];
    }
    case "Z":
      if (count <= 3) return [{ kind: "offset", colon: "no", minutes: "required", seconds: false, zero: "+0000" }];
      if (count === 5) return [{ kind: "offset", colon: "yes", minutes: "required", seconds: true, zero: "Z" }];
      if (count > 5) throw illegalArgument("Too many pattern letters: Z");
      break;
    case "V":
      if (count === 2) return [{ kind: "zoneId", bareOffset: false }];
      throw illegalArgument(`Pattern letter count must be 2: V`);
    case "z":
    case "v":
    case "O":
    case "G":
    case "Q":
    case "q":
    case "Y":
    case "w":
    case "W":
    case "e":
    case "c":
    case "k":
    case "A":
    case "N":
    case "F":
    case "p":
    case "B":
    case "g":
      break;
    default:
      throw illegalArgument(`Unknown pattern letter: ${letter}`);
  }
  return undefined;
}
