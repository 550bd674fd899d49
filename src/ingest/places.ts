/** Under which heading and on which page a passage stands. */
import type { Metadata, Section } from "../schema/index.ts";
import type { Span } from "./characters.ts";

export const HEADING_SEPARATOR = " › ";

/** A function that gives `heading`, `headingPath` and `page` of a passage, as far as they are known. */
export function placeFinder(sections: readonly Section[]): (span: Span) => Metadata {
  const sorted = [...sections].sort((a, b) => a.start - b.start);
  const pages = sorted.filter((section) => section.page !== undefined);
  const headings = sorted.filter((section) => section.heading !== undefined);
  return (span) => {
    const heading = headings[largestShare(headings, span)];
    const page = pages[lastBefore(pages, span.start)];
    const out: Metadata = {};
    if (heading?.heading !== undefined) {
      out["heading"] = heading.heading;
      out["headingPath"] = (heading.headingPath ?? [heading.heading]).join(HEADING_SEPARATOR);
    }
    if (page?.page !== undefined) out["page"] = page.page;
    return out;
  };
}

/** The last section that starts at or before a place; −1 when there is none. */
function lastBefore(sections: readonly Section[], at: number): number {
  let low = 0;
  let high = sections.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sections[middle]!.start <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The section that holds most of the span (the first of equals); −1 when most of it stands before the first one. */
function largestShare(sections: readonly Section[], span: Span): number {
  let best = -1;
  let most = 0;
  for (let i = lastBefore(sections, span.start); i < sections.length; i++) {
    const start = Math.max(span.start, i < 0 ? 0 : sections[i]!.start);
    const end = Math.min(span.end, sections[i + 1]?.start ?? span.end);
    if (start >= span.end) break;
    if (end - start <= most) continue;
    best = i;
    most = end - start;
  }
  return best;
}
