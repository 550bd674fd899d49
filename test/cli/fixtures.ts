/** A terminal that remembers what was written to it. */

import type { Context, Io } from "../../src/cli/context.ts";
import type { Collection, CollectionOptions } from "../../src/collection/types.ts";

export interface Terminal {
  context: Context;
  out(): string;
  err(): string;
  /** What commands opened. */
  opened: { name: string; options: CollectionOptions }[];
  interrupt: AbortController;
  outputClosed: AbortController;
}

export function terminal(collection?: Partial<Collection>, io: Partial<Io> = {}): Terminal {
  let out = "";
  let err = "";
  const opened: Terminal["opened"] = [];
  const interrupt = new AbortController();
  const outputClosed = new AbortController();
  const context: Context = {
    io: {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      outIsTerminal: false,
      errIsTerminal: false,
      columns: 80,
      env: {},
      now: () => 0,
      ...io,
    },
    signal: interrupt.signal,
    outputClosed: outputClosed.signal,
    async openCollection(name, options) {
      opened.push({ name, options });
      if (!collection) throw new Error("nothing is opened here");
      return { name, close: async () => {}, ...collection } as Collection;
    },
  };
  return { context, out: () => out, err: () => err, opened, interrupt, outputClosed };
}
