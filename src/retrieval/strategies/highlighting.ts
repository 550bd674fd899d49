/** Fragments of what was found, on any strategy. */
import type { estypes } from "@elastic/elasticsearch";
import { z } from "zod";
import { TEXT_FIELD } from "../../elasticsearch/layout.ts";
import { type SearchableIndex, textQuery } from "../retriever.ts";

/** The schema of a search's `highlight`. */
export const HIGHLIGHT_OPTIONS = z.strictObject({
  fragmentSize: z.int().min(0).max(100_000).default(100).describe("characters of a fragment, about"),
  fragments: z.int().min(0).max(1000).default(5).describe("most fragments of a passage; 0 gives the whole text"),
  preTag: z.string().default("<em>").describe("stands before what matches"),
  postTag: z.string().default("</em>").describe("stands behind what matches"),
  encoder: z
    .enum(["default", "html"])
    .default("default")
    .describe("html escapes the text, so that fragments can stand in a page"),
});

/** How fragments are made, with all defaults filled in. */
export type HighlightOptions = z.output<typeof HIGHLIGHT_OPTIONS>;
/** A search's `highlight`: true, or options. */
export type HighlightInput = z.input<typeof HIGHLIGHT_OPTIONS>;

/**
 * The part `highlight` of a request. What the subfields of the text found is marked in the text too.
 *
 * @param question where the request's own query says nothing of words
 */
export function highlightBody(
  target: SearchableIndex,
  options: HighlightOptions,
  question?: string,
): estypes.SearchHighlight {
  const names = [...new Set((target.textFields ?? [TEXT_FIELD]).map((field) => field.replace(/\^.*$/, "")))];
  // A text field's subfields: their matches are shown as parts of the text.
  const matched = [...new Set([TEXT_FIELD, ...names.filter((name) => name.startsWith(`${TEXT_FIELD}.`))])];
  return {
    type: "unified",
    encoder: options.encoder,
    pre_tags: [options.preTag],
    post_tags: [options.postTag],
    fragment_size: options.fragmentSize,
    number_of_fragments: options.fragments,
    fields: {
      [TEXT_FIELD]: {
        ...(matched.length > 1 ? { matched_fields: matched } : {}),
        ...(question === undefined || question.trim() === ""
          ? {}
          : { highlight_query: textQuery(target, question, []) }),
      },
    },
  };
}
