/** A thread that searches: it has the data folder open for reading, and answers requests that it is sent. */
import { parentPort, workerData } from "node:worker_threads";
import { openEngine } from "../../elasticsearch/engine.ts";
import type { FromWorker, ToWorker, WorkerData } from "./messages.ts";

const { data } = workerData as WorkerData;
const port = parentPort!;
const send = (message: FromWorker) => port.postMessage(message);

const engine = await openEngine({ data, readOnly: true });
const stops = new Map<number, AbortController>();

port.on("message", async (message: ToWorker) => {
  if ("end" in message) {
    for (const stop of stops.values()) stop.abort();
    await engine.close();
    port.close();
    return;
  }
  if ("stop" in message) {
    stops.get(message.stop)?.abort();
    return;
  }
  const { id, request } = message;
  const stop = new AbortController();
  stops.set(id, stop);
  try {
    send({ id, answer: await engine.request({ ...request, signal: stop.signal }) });
  } catch (error) {
    send({ id, failure: error instanceof Error ? error.message : String(error) });
  } finally {
    stops.delete(id);
  }
});
send({ ready: true });
