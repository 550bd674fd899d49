/** Routes that find and answer. */
import { z } from "zod";
import {
  type AnySearch,
  describeStrategy,
  type SearchDefaults,
  STRATEGY_NAMES,
  strategyNamed,
  withSearchDefaults,
} from "../../catalogue/index.ts";
import { hitJson, sourceJson } from "../../collection/json.ts";
import type { Collection, Notice } from "../../collection/types.ts";
import { type Filters, InvalidArgumentError, type LanguageModel, type RerankModel } from "../../schema/index.ts";
import { READS_FILTERED } from "../access/caller.ts";
import { type CollectionAccess, named, within } from "./collections.ts";
import { eventStream } from "./events.ts";
import { defineRoute, type Route } from "./route.ts";

export interface QuestionModels {
  model?: LanguageModel;
  reranker?: RerankModel;
  /** Strategy and options where a question names none. */
  search?: SearchDefaults;
}

export const MAX_QUERY = 10_000;

export const filtersShape = z
  .record(z.string(), z.unknown())
  .optional()
  .describe('Conditions on metadata, such as {"level": "员工", "year": {"gte": 2024}}, or LlamaIndex\'s list form');

/** What every question takes beside its text. */
export const question = {
  topK: z.int().min(1).max(1000).optional(),
  strategy: z
    .string()
    .optional()
    .describe(`How to search: ${STRATEGY_NAMES.join(", ")}. Default: the one that is configured, or hybrid`),
  options: z.record(z.string(), z.unknown()).default({}).describe("The strategy's own options: see /strategies"),
  filters: filtersShape,
  rerank: z.boolean().optional().describe("Put what was found in a better order, by the reranker that is configured"),
};

interface Asked {
  topK?: number | undefined;
  strategy?: string | undefined;
  options: Record<string, unknown>;
  filters?: Record<string, unknown> | undefined;
  rerank?: boolean | undefined;
}

/** What was asked, as options of a search. Models are never the caller's. */
export function searchOptions({ topK, strategy, options, filters, rerank }: Asked, models: QuestionModels): AnySearch {
  if (rerank && !models.reranker)
    throw new InvalidArgumentError("rerank", true, "no reranker is configured: start the server with --reranker");
  const chosen = withSearchDefaults({ options, ...(strategy === undefined ? {} : { strategy }) }, models.search);
  const reranks = rerank || chosen.strategy === "rerank";
  return {
    ...chosen,
    ...(topK === undefined ? {} : { topK }),
    ...(filters ? { filters: filters as Filters } : {}),
    ...(reranks && models.reranker ? { reranker: models.reranker } : {}),
    ...(models.model ? { model: models.model } : {}),
  };
}

const hitShape = z.looseObject({
  rank: z.number(),
  id: z.string(),
  score: z.number().optional(),
  text: z.string(),
  metadata: z.record(z.string(), z.unknown()),
});
const noticeShape = z.looseObject({ code: z.string(), message: z.string() });

export function questionRoutes(access: CollectionAccess, models: QuestionModels): Route[] {
  return [
    defineRoute({
      method: "get",
      path: "/strategies",
      id: "listStrategies",
      needs: READS_FILTERED,
      summary: "The strategies, what each is good for, and the JSON schema of its options",
      answer: z.object({
        strategies: z.array(
          z.object({
            name: z.string(),
            title: z.string(),
            goodFor: z.string(),
            needs: z.array(z.string()),
            options: z.record(z.string(), z.unknown()),
          }),
        ),
      }),
      run: () => ({ strategies: STRATEGY_NAMES.map((name) => describeStrategy(strategyNamed(name))) }),
    }),
    defineRoute({
      method: "post",
      path: "/collections/{name}/search",
      id: "search",
      needs: READS_FILTERED,
      summary: "The passages that fit a question",
      params: named,
      body: z.strictObject({
        query: z.string().min(1).max(MAX_QUERY),
        highlight: z.union([z.boolean(), z.record(z.string(), z.unknown())]).optional(),
        ...question,
      }),
      answer: z.object({ hits: z.array(hitShape), notices: z.array(noticeShape) }),
      run: ({ params: { name }, body: { query, highlight, ...asked }, signal }) =>
        within(access.open(name), async (opened) => {
          const notices: Notice[] = [];
          const hits = await opened.search(query, {
            ...searchOptions(asked, models),
            ...(highlight === undefined ? {} : { highlight }),
            signal,
            onNotice: (notice: Notice) => notices.push(notice),
          } as Parameters<Collection["search"]>[1]);
          return { hits: hits.map(hitJson), notices };
        }),
    }),
    defineRoute({
      method: "post",
      path: "/collections/{name}/ask",
      id: "ask",
      needs: READS_FILTERED,
      summary: "An answer with its sources, as it is written",
      params: named,
      body: z.strictObject({ question: z.string().min(1).max(MAX_QUERY), ...question }),
      answer: {
        contentType: "text/event-stream",
        description:
          "Server-sent events: `sources` (a list) first, `text` ({text}) for each piece, then `done` ({kind, cited, unknownCitations, notices}); `error` ({code, message}) ends an answer that broke off, or took longer than a request may",
      },
      async run({ params: { name }, body: { question: asked, ...rest }, signal }) {
        const opened = await access.open(name);
        const stop = new AbortController();
        const call = AbortSignal.any([signal, stop.signal]);
        try {
          const notices: Notice[] = [];
          const answer = await opened.ask(asked, {
            ...searchOptions(rest, models),
            signal: call,
            onNotice: (notice: Notice) => notices.push(notice),
          } as Parameters<Collection["ask"]>[1]);
          return eventStream(
            async (send) => {
              send("sources", answer.sources.map(sourceJson));
              for await (const text of answer.textStream) send("text", { text });
              const report = await answer.citations;
              send("done", {
                kind: answer.kind,
                cited: report?.cited ?? [],
                unknownCitations: report?.unknownCitations ?? [],
                notices,
              });
            },
            { signal: call, cancel: () => stop.abort(), end: () => opened.close() },
          );
        } catch (error) {
          await opened.close();
          throw error;
        }
      },
    }),
  ];
}
