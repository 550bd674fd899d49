/** Work that outlives its request: indexing. One job of a collection runs at a time, the others wait. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { AddResult } from "../../collection/types.ts";
import { HuiliuError, type OnProgress } from "../../schema/index.ts";
import { failureOf } from "./route.ts";

/** Finished jobs that are remembered. */
const KEPT = 200;
/** Jobs that may wait or run. */
const MOST = 100;
/** Failed files that a job names. */
const NAMED = 1000;

export const jobShape = z.object({
  id: z.string(),
  collection: z.string(),
  state: z.enum(["waiting", "running", "done", "failed", "cancelled"]),
  done: z.number().describe("Documents done"),
  total: z.number().describe("Documents known so far"),
  file: z.string().optional().describe("The one that is being worked on"),
  created: z.string(),
  ended: z.string().optional(),
  result: z
    .object({
      added: z.number(),
      replaced: z.number(),
      unchanged: z.number(),
      passages: z.number(),
      failed: z.array(z.object({ file: z.string(), message: z.string() })),
    })
    .optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type Job = z.output<typeof jobShape>;

type Work = (options: { signal: AbortSignal; onProgress: OnProgress }) => Promise<AddResult>;

class TooManyJobsError extends HuiliuError {
  constructor() {
    super("TOO_MANY_JOBS", `${MOST} jobs are waiting or running: wait for some of them to end`);
  }
}

export class JobNotFoundError extends HuiliuError {
  constructor(id: string) {
    super("NOT_FOUND", `there is no job "${id}": see /_huiliu/jobs`);
  }
}

export interface Jobs {
  start(collection: string, work: Work): Job;
  get(id: string): Job | undefined;
  /** Latest first. */
  list(): Job[];
  /** Stops a job; what is done stays. False when there is none of this id. */
  cancel(id: string): boolean;
  counts(): Record<Job["state"], number>;
  /** Stops all jobs and resolves when they have ended. */
  close(): Promise<void>;
}

export function jobRegistry(): Jobs {
  const jobs = new Map<string, Job>();
  const stops = new Map<string, AbortController>();
  const queues = new Map<string, Promise<void>>();

  async function run(job: Job, work: Work, stop: AbortController): Promise<void> {
    try {
      stop.signal.throwIfAborted();
      job.state = "running";
      const result = await work({
        signal: stop.signal,
        onProgress: ({ done, total, file }) => {
          job.done = done;
          job.total = total;
          if (file !== undefined) job.file = file;
        },
      });
      const { added, replaced, unchanged, passages, failed } = result;
      job.result = {
        added,
        replaced,
        unchanged,
        passages,
        failed: failed.slice(0, NAMED).map(({ file, error }) => ({ file, message: error.message })),
      };
      job.state = result.aborted ? "cancelled" : "done";
    } catch (error) {
      job.state = stop.signal.aborted ? "cancelled" : "failed";
      if (job.state === "failed") {
        const { code, message } = failureOf(error);
        job.error = { code, message };
      }
    } finally {
      delete job.file;
      job.ended = new Date().toISOString();
      stops.delete(job.id);
      forget();
    }
  }

  function forget(): void {
    const ended = [...jobs.values()].filter(({ ended: at }) => at !== undefined);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - KEPT))) jobs.delete(id);
  }

  return {
    start(collection, work) {
      if (stops.size >= MOST) throw new TooManyJobsError();
      const job: Job = {
        id: randomUUID(),
        collection,
        state: "waiting",
        done: 0,
        total: 0,
        created: new Date().toISOString(),
      };
      const stop = new AbortController();
      jobs.set(job.id, job);
      stops.set(job.id, stop);
      const before = queues.get(collection) ?? Promise.resolve();
      const mine = before.then(() => run(job, work, stop));
      queues.set(collection, mine);
      void mine.then(() => {
        if (queues.get(collection) === mine) queues.delete(collection);
      });
      return job;
    },
    get: (id) => jobs.get(id),
    list: () => [...jobs.values()].reverse(),
    cancel(id) {
      if (!jobs.has(id)) return false;
      stops.get(id)?.abort();
      return true;
    },
    counts() {
      const counts = { waiting: 0, running: 0, done: 0, failed: 0, cancelled: 0 };
      for (const { state } of jobs.values()) counts[state]++;
      return counts;
    },
    async close() {
      for (const stop of stops.values()) stop.abort();
      await Promise.all(queues.values());
    },
  };
}
