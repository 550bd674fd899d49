/** The product's routes: collections, documents, questions, jobs, and what a server's keeper wants to know. */
import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import { z } from "zod";
import packageJson from "../../../package.json" with { type: "json" };
import { currentCaller, OPEN, OVERSEES, READS, seesIndex, WRITES } from "../access/caller.ts";
import type { Limits } from "../limits.ts";
import { type CollectionAccess, collectionRoutes } from "./collections.ts";
import { insightRoutes } from "./insight.ts";
import { JobNotFoundError, jobRegistry, jobShape } from "./jobs.ts";
import { addMetrics, type Metrics } from "./metrics.ts";
import { neighbourRoutes } from "./neighbours.ts";
import { openApi } from "./openapi.ts";
import { type QuestionModels, questionRoutes } from "./questions.ts";
import { reportRoutes } from "./reports.ts";
import { addRoutes, defineRoute, type Route } from "./route.ts";

export interface ProductOptions extends CollectionAccess, QuestionModels {
  limits?: Limits;
  /** Folder of the evaluation reports that are shown. */
  reports?: string;
}

export interface Product {
  readonly routes: readonly Route[];
  /** Stops the jobs. */
  close(): Promise<void>;
}

/** Adds the routes to a server; requests of what is added afterwards are counted too. */
export function addProduct(app: Hono<{ Bindings: HttpBindings }>, options: ProductOptions): Product {
  const jobs = jobRegistry();
  let metrics: Metrics | undefined;
  const job = z.object({ id: z.string() });
  const found = (id: string) => {
    const known = jobs.get(id);
    if (!known || !seesIndex(currentCaller(), known.collection)) throw new JobNotFoundError(id);
    return known;
  };
  const routes: Route[] = [
    ...collectionRoutes(options, jobs),
    ...questionRoutes(options, options),
    ...insightRoutes(options, options),
    ...neighbourRoutes(options),
    ...reportRoutes(options.reports),
    defineRoute({
      method: "get",
      path: "/jobs",
      id: "listJobs",
      needs: READS,
      summary: "Indexing jobs, latest first",
      answer: z.object({ jobs: z.array(jobShape) }),
      run: () => {
        const caller = currentCaller();
        return { jobs: jobs.list().filter(({ collection }) => seesIndex(caller, collection)) };
      },
    }),
    defineRoute({
      method: "get",
      path: "/jobs/{id}",
      id: "getJob",
      needs: READS,
      summary: "How far a job is",
      params: job,
      answer: jobShape,
      run: ({ params: { id } }) => found(id),
    }),
    defineRoute({
      method: "delete",
      path: "/jobs/{id}",
      id: "cancelJob",
      needs: WRITES,
      summary: "Stop a job; what is done stays",
      params: job,
      answer: jobShape,
      run({ params: { id } }) {
        const known = found(id);
        jobs.cancel(id);
        return known;
      },
    }),
    defineRoute({
      method: "get",
      path: "/health",
      id: "health",
      needs: OPEN,
      summary: "Whether the server answers",
      answer: z.object({ status: z.literal("ok"), version: z.string() }),
      run: () => ({ status: "ok", version: packageJson.version }),
    }),
    defineRoute({
      method: "get",
      path: "/metrics",
      id: "metrics",
      needs: OVERSEES,
      summary: "Counts and times of requests, for Prometheus",
      answer: { contentType: "text/plain", description: "Prometheus's text format" },
      run: () =>
        new Response(metrics!.text(), { headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" } }),
    }),
    defineRoute({
      method: "get",
      path: "/openapi.json",
      id: "openApi",
      needs: OPEN,
      summary: "This description",
      answer: z.record(z.string(), z.unknown()),
      run: () => openApi(routes),
    }),
  ];
  metrics = addMetrics(app, routes, () => jobs.counts(), options.limits);
  addRoutes(app, routes, options.limits);
  return { routes, close: () => jobs.close() };
}
