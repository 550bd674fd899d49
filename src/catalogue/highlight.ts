/** Fragments of another strategy's passages, with what matches marked. Every strategy has them on request (`highlight`). */
import { HIGHLIGHT_OPTIONS, type Strategy } from "../retrieval/index.ts";
import { referenceParts } from "./lists.ts";
import { ofOption } from "./of.ts";

const options = HIGHLIGHT_OPTIONS.extend({ of: ofOption("bm25") });

export const highlight: Strategy<"highlight", typeof options> = {
  name: "highlight",
  title: "fragments of the text, with the words that match marked",
  goodFor: "seeing why a passage was found; lists of results on a page",
  embeds: false,
  options,
  retriever(_, { of, ...fragments }, call) {
    const { name, options: own } = referenceParts(of);
    return call.strategy(name, own, { highlight: fragments });
  },
};
