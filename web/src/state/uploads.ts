/** Files on their way into a collection: sent one after the other, then followed as jobs until they end. */
import { signal } from "@preact/signals";
import { api, part } from "../api/http.ts";
import type { Job } from "../api/types.ts";
import { loadStatus } from "./collections.ts";

export interface Upload {
  id: number;
  collection: string;
  name: string;
  state: "waiting" | "sending" | Job["state"];
  job?: Job;
  error?: unknown;
}

export const uploads = signal<readonly Upload[]>([]);
/** Grows when a job has ended: what lists documents reads them again. */
export const indexed = signal(0);

/** Jobs that wait or run on the server: it takes a hundred. */
const AT_ONCE = 20;
const LOOK = 250;

let last = 0;
let queue: { id: number; file: File }[] = [];
let sending = false;

function change(id: number, what: Partial<Upload>): void {
  uploads.value = uploads.value.map((one) => (one.id === id ? { ...one, ...what } : one));
}

export interface Dropped {
  /** A relative path. */
  name: string;
  file: File;
}

export function upload(collection: string, files: readonly Dropped[]): void {
  const added = files.map(({ name, file }) => ({
    entry: { id: ++last, collection, name, state: "waiting" as const },
    file,
  }));
  uploads.value = [...uploads.value, ...added.map(({ entry }) => entry)];
  queue.push(...added.map(({ entry, file }) => ({ id: entry.id, file })));
  void send();
}

const isOpen = ({ state }: Upload) => state === "waiting" || state === "running" || state === "sending";

export function tidyUploads(): void {
  uploads.value = uploads.value.filter(isOpen);
}

/** Stops an upload or its job; what is done stays. */
export async function stopUpload({ id, job }: Upload): Promise<void> {
  queue = queue.filter((one) => one.id !== id);
  if (job) await api("DELETE", `/jobs/${part(job.id)}`).catch(() => {});
  else change(id, { state: "cancelled" });
}

async function send(): Promise<void> {
  if (sending) return;
  sending = true;
  try {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { id, file } = next;
      const entry = uploads.value.find((one) => one.id === id);
      if (!entry) continue;
      while (uploads.value.filter(({ job, state }) => job && isOpen({ state } as Upload)).length >= AT_ONCE)
        await pause();
      change(id, { state: "sending" });
      try {
        const job = await api<Job>("PUT", `/collections/${part(entry.collection)}/files/${part(entry.name)}`, {
          bytes: file,
        });
        change(id, { state: job.state, job });
        void follow(id, job.id);
      } catch (error) {
        change(id, { state: "failed", error });
      }
    }
  } finally {
    sending = false;
  }
}

async function follow(id: number, jobId: string): Promise<void> {
  for (;;) {
    await pause();
    let job: Job;
    try {
      job = await api<Job>("GET", `/jobs/${part(jobId)}`);
    } catch (error) {
      change(id, { state: "failed", error });
      return;
    }
    const failed = job.result?.failed[0];
    change(id, {
      state: failed ? "failed" : job.state,
      job,
      ...(failed ? { error: new Error(failed.message) } : job.error ? { error: new Error(job.error.message) } : {}),
    });
    if (job.state === "waiting" || job.state === "running") continue;
    indexed.value++;
    await loadStatus();
    return;
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK));
