/** Text put together from pieces of markup: white space collapses as in a browser, blocks become lines, table rows lines with `|`. */

export interface LineWriter {
  /** Appends text; its white space collapses unless it is preformatted. */
  text(text: string, preformatted: boolean): void;
  /** Ends the line, if anything is on it; `apart` leaves an empty line. Within a row it is a space. */
  newLine(apart: boolean): void;
  /** Written before the next text, if any comes on this line. */
  prefix(mark: string): void;
  /** Forgets a prefix after which no text came. */
  dropPrefix(): void;
  openRow(): void;
  openCell(): void;
  closeRow(): void;
  inRow(): boolean;
  /** Where the next text (with its prefix) will begin. */
  place(): number;
  since(place: number): string;
  whole(): string;
}

export function lineWriter(): LineWriter {
  const parts: string[] = [];
  let length = 0;
  /** Line breaks to write before the next text, a space, and a mark. */
  let breaks = 0;
  let space = false;
  let mark = "";
  let rows = 0;
  /** Whether the row at hand has a cell. */
  let cells = false;

  function append(text: string): void {
    parts.push(text);
    length += text.length;
  }

  function begin(): void {
    if (breaks > 0) append("\n".repeat(breaks));
    else if (space && length > 0 && !parts[parts.length - 1]!.endsWith(" ")) append(" ");
    if (mark !== "") append(mark);
    breaks = 0;
    space = false;
    mark = "";
  }

  const writer: LineWriter = {
    text(text, preformatted) {
      if (preformatted && rows === 0) {
        if (text === "") return;
        begin();
        append(text.replace(/\r\n?/g, "\n").replace(/\s+$/, ""));
        breaks = Math.min(2, /\n*$/.exec(text.slice(-2))![0].length);
        return;
      }
      for (const word of text.split(/[ \t\n\r\f]+/).entries()) {
        if (word[0] > 0 && breaks === 0) space = true;
        if (word[1] === "") continue;
        begin();
        append(word[1]);
      }
    },
    newLine(apart) {
      if (rows > 0) {
        space = true;
        return;
      }
      if (length === 0) return;
      breaks = Math.max(breaks, apart ? 2 : 1);
      space = false;
    },
    prefix(text) {
      if (rows === 0) mark += text;
    },
    dropPrefix() {
      mark = "";
    },
    openRow() {
      if (rows++ > 0) return;
      mark = "";
      cells = false;
    },
    openCell() {
      if (rows !== 1) {
        space = true;
        return;
      }
      space = false;
      begin();
      append(cells ? " | " : "| ");
      cells = true;
    },
    closeRow() {
      if (rows === 0 || --rows > 0) return;
      space = false;
      if (cells) append(" |");
      writer.newLine(false);
    },
    inRow: () => rows > 0,
    place: () => length + breaks + (breaks === 0 && space && length > 0 ? 1 : 0),
    since(place) {
      let from = length;
      let first = parts.length;
      while (first > 0 && from > place) from -= parts[--first]!.length;
      return parts
        .slice(first)
        .join("")
        .slice(Math.max(0, place - from));
    },
    whole: () => parts.join("").replace(/\s+$/, ""),
  };
  return writer;
}
