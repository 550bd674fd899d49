/** The route for the neighbourhood of a question or a passage. */
import { z } from "zod";
import { neighbourhood } from "../../catalogue/index.ts";
import { hitJson } from "../../collection/json.ts";
import type { Filters } from "../../schema/index.ts";
import { READS_FILTERED } from "../access/caller.ts";
import { type CollectionAccess, named, within } from "./collections.ts";
import { filtersShape, MAX_QUERY } from "./questions.ts";
import { defineRoute, type Route } from "./route.ts";

const point = { x: z.number(), y: z.number() };

export function neighbourRoutes(access: CollectionAccess): Route[] {
  return [
    defineRoute({
      method: "post",
      path: "/collections/{name}/neighbours",
      id: "neighbours",
      summary: "What lies nearest to a question or to a passage by meaning, as points of a plane",
      needs: READS_FILTERED,
      params: named,
      body: z.strictObject({
        query: z.string().min(1).max(MAX_QUERY).optional().describe("A question, or"),
        passage: z.string().min(1).optional().describe("a passage: its id, or file#number"),
        filters: filtersShape,
        topK: z.int().min(1).max(200).default(50),
      }),
      answer: z.object({
        origin: z.object({ ...point, text: z.string(), id: z.string().optional() }),
        neighbours: z.array(
          z.looseObject({
            ...point,
            id: z.string(),
            similarity: z.number().optional(),
            text: z.string(),
            metadata: z.record(z.string(), z.unknown()),
          }),
        ),
        shares: z.array(z.number()).length(2).describe("How much of the vectors' spread each axis shows"),
      }),
      run: ({ params: { name }, body: { query, passage, filters, topK }, signal }) =>
        within(access.open(name), async (opened) => {
          const near = await neighbourhood(opened, {
            topK,
            signal,
            ...(query === undefined ? {} : { query }),
            ...(passage === undefined ? {} : { passage }),
            ...(filters ? { filters: filters as Filters } : {}),
          });
          return { ...near, neighbours: near.neighbours.map((one, i) => ({ ...hitJson(one, i), x: one.x, y: one.y })) };
        }),
    }),
  ];
}
