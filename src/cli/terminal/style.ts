/** Colours, where the terminal has them and the user wants them (https://no-color.org). */

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  cyan(text: string): string;
  /** Words that matched. */
  match(text: string): string;
}

const plain = (text: string) => text;

/** Select Graphic Rendition: what switches an attribute on, and what switches it off again. */
function sgr(on: string, off: string): (text: string) => string {
  return (text) => (text === "" ? "" : `\u001b[${on}m${text}\u001b[${off}m`);
}

export function terminalStyle(colour: boolean): Style {
  if (!colour) return { bold: plain, dim: plain, red: plain, cyan: plain, match: plain };
  return {
    bold: sgr("1", "22"),
    dim: sgr("2", "22"),
    red: sgr("31", "39"),
    cyan: sgr("36", "39"),
    match: sgr("1;33", "22;39"),
  };
}

/** Whether a stream gets colours: it is a terminal, and neither NO_COLOR nor a dumb terminal forbids them. */
export function wantsColour(isTerminal: boolean, env: Record<string, string | undefined>): boolean {
  return isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}
