/** Adding to a collection: files are read, split, embedded and indexed; what has not changed is skipped, what has vanished removed. */
import { existsSync } from "node:fs";
import type { Client } from "@elastic/elasticsearch";
import { type FoundFile, findFiles, INGEST_VERSION, isGlob, loadFile, readDocuments } from "../ingest/index.ts";
import { mostlyUnknownScripts } from "../models/index.ts";
import {
  type CallOptions,
  callOptions,
  contentKey,
  type Document,
  type EmbeddingModel,
  FileError,
  type Metadata,
  type Splitter,
  sha256,
  type TextNode,
} from "../schema/index.ts";
import type { CollectionMeta } from "./layout.ts";
import { isBelow } from "./paths.ts";
import { type FileRecord, fileKey, getRecords, listRecords } from "./records.ts";
import { refreshBoth } from "./refresh.ts";
import type { AddDocumentsOptions, AddOptions, AddResult, FileOutcome } from "./types.ts";
import { type CollectionWriter, collectionWriter } from "./writer.ts";

/** Files whose records are looked up in one request. */
const LOOKUP = 100;

export interface AddTarget {
  client: Client;
  collection: string;
  meta: CollectionMeta;
  embedding: EmbeddingModel;
  splitter: Splitter;
  /** The index's own folder, which is not indexed. */
  data?: string;
}

/** Counts what happens to files, and tells the caller. */
function accounting(options: Pick<AddOptions, "onFile" | "onProgress">) {
  const result: AddResult = {
    added: 0,
    replaced: 0,
    unchanged: 0,
    removed: 0,
    failed: [],
    passages: 0,
    aborted: false,
  };
  let done = 0;
  let total = 0;
  return {
    result,
    expect(files: number) {
      total += files;
    },
    progress(file: string, stage: "read" | "index") {
      options.onProgress?.({ done, total, file, stage });
    },
    settle(outcome: FileOutcome) {
      if (outcome.outcome === "failed") result.failed.push({ file: outcome.file, error: outcome.error! });
      else result[outcome.outcome]++;
      if (outcome.outcome === "added" || outcome.outcome === "replaced") result.passages += outcome.passages ?? 0;
      if (outcome.outcome !== "removed") done++;
      options.onFile?.(outcome);
      options.onProgress?.({ done, total, file: outcome.file, stage: "index" });
    },
  };
}

type Account = ReturnType<typeof accounting>;

/** Runs a piece of work that writes. An abort ends it early; what is whole is kept and made visible, also then and after a failure. */
async function writing(
  target: AddTarget,
  options: Pick<AddOptions, "onFile" | "onProgress" | "signal">,
  work: (writer: CollectionWriter, account: Account) => Promise<void>,
): Promise<AddResult> {
  const account = accounting(options);
  const writer = collectionWriter(target);
  try {
    await work(writer, account);
    await writer.flush(options.signal ? { signal: options.signal } : {});
  } catch (error) {
    writer.abandon();
    if (!options.signal?.aborted) {
      // What failed first is what the caller has to know, and soon.
      await writer.flush({ retries: 0 }).catch(() => undefined);
      await refreshBoth(target.client, target.collection).catch(() => undefined);
      throw error;
    }
    account.result.aborted = true;
  }
  await writer.flush(options.signal ? { signal: options.signal } : {});
  await refreshBoth(target.client, target.collection);
  return account.result;
}

/** Adds files, folders and globs. An abort ends it early with what is done kept: the result says so. */
export function addFiles(target: AddTarget, paths: string[], options: AddOptions = {}): Promise<AddResult> {
  return writing(target, options, async (writer, account) => {
    const seen: Seen = { files: new Set(), unreadable: [] };
    for await (const group of groups(target, paths, options, account, seen)) {
      const keys = group.map(({ file }) => fileKey(file));
      const records = await getRecords(target.client, target.collection, keys);
      for (const found of group) {
        options.signal?.throwIfAborted();
        account.progress(found.file, "read");
        await addFile(target, found, records.get(fileKey(found.file)), writer, account, options);
      }
    }
    if (options.removeVanished) await removeVanished(target, paths, seen, writer, account, callOptions(options));
  });
}

interface Seen {
  files: Set<string>;
  /** Files and folders of which nobody knows what they hold now. */
  unreadable: string[];
}

/** Found files in groups for one lookup; what cannot be read is settled here. */
async function* groups(
  target: AddTarget,
  paths: string[],
  options: AddOptions,
  account: Account,
  seen: Seen,
): AsyncGenerator<FoundFile[]> {
  let group: FoundFile[] = [];
  const { signal, maxFileBytes } = options;
  for await (const item of findFiles(paths, {
    ...(signal ? { signal } : {}),
    ...(target.data === undefined ? {} : { exclude: target.data }),
    ...(maxFileBytes === undefined ? {} : { maxFileBytes }),
  })) {
    account.expect(1);
    if ("error" in item) {
      if (item.error.code !== "FILE_NOT_FOUND") seen.unreadable.push(item.file);
      account.settle({ file: item.file, outcome: "failed", error: item.error });
      continue;
    }
    seen.files.add(item.file);
    group.push(item);
    if (group.length < LOOKUP) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

async function addFile(
  target: AddTarget,
  found: FoundFile,
  record: FileRecord | undefined,
  writer: CollectionWriter,
  account: Account,
  { signal, metadata }: AddOptions,
): Promise<void> {
  const call = signal ? { signal } : {};
  const { file } = found;
  try {
    const { source, hash: bytes } = await loadFile(found, call);
    const hash = sha256(JSON.stringify([bytes, INGEST_VERSION, metadata ?? {}]));
    if (record?.state === "complete" && record.hash === hash) {
      account.settle({ file, outcome: "unchanged", passages: record.passages });
      return;
    }
    const documents = (await readDocuments(source, call)).map((document) => withMetadata(document, metadata));
    await writeDocuments(target, { file, hash, bytes: found.bytes }, documents, record, writer, account, call);
  } catch (error) {
    signal?.throwIfAborted();
    // A file that cannot be read is named and skipped; anything else is a fault of the index, and ends the run.
    if (!(error instanceof FileError)) throw error;
    account.settle({ file, outcome: "failed", error });
  }
}

/** Metadata of the caller's come last, so that no file can pretend to have them. */
function withMetadata(document: Document, metadata: Metadata | undefined): Document {
  return metadata ? { ...document, metadata: { ...document.metadata, ...metadata } } : document;
}

async function writeDocuments(
  { splitter, embedding }: AddTarget,
  { file, hash, bytes, origin }: Pick<FileRecord, "file" | "hash" | "bytes" | "origin">,
  documents: readonly Document[],
  record: FileRecord | undefined,
  writer: CollectionWriter,
  account: Account,
  call: { signal?: AbortSignal },
): Promise<void> {
  const nodes: TextNode[] = [];
  for (const document of documents) nodes.push(...(await splitter.split(document, call)));
  const scripts = mostlyUnknownScripts(nodes.map(({ text }) => text).join("\n"), embedding);
  const unknownScripts = scripts.length > 0 ? { unknownScripts: scripts } : {};
  const title = documents[0]?.metadata["title"];
  const outcome = record?.state === "complete" ? "replaced" : "added";
  await writer.write(
    {
      record: {
        file,
        key: fileKey(file),
        hash,
        documents: documents.length,
        bytes,
        added: new Date().toISOString(),
        ...(origin ? { origin } : {}),
        ...(typeof title === "string" && title !== "" ? { title: title.slice(0, 500) } : {}),
      },
      nodes,
      previousPassages: record?.passages ?? 0,
      settled: (error, unfiltered) =>
        account.settle(
          error
            ? { file, outcome: "failed", error }
            : { file, outcome, passages: nodes.length, ...unknownScripts, ...(unfiltered ? { unfiltered } : {}) },
        ),
    },
    call,
  );
}

/** Removes the records of files below the given paths that were not found this time, unless it is not known that they are gone. */
async function removeVanished(
  target: AddTarget,
  paths: string[],
  seen: Seen,
  writer: CollectionWriter,
  account: Account,
  call: CallOptions,
): Promise<void> {
  await refreshBoth(target.client, target.collection);
  // What a glob does not match need not have vanished.
  const folders = paths.filter((path) => !isGlob(path) || existsSync(path));
  const below = (record: FileRecord, names: string[]) => names.some((name) => isBelow(record, name));
  for await (const record of listRecords(target.client, target.collection)) {
    if (seen.files.has(record.file) || !below(record, folders) || below(record, seen.unreadable)) continue;
    await writer.remove(
      record,
      (error) =>
        account.settle(
          error ? { file: record.file, outcome: "failed", error } : { file: record.file, outcome: "removed" },
        ),
      call,
    );
  }
}

/** Adds documents that are in memory, each under its id; the same id again replaces it. */
export function addDocuments(
  target: AddTarget,
  documents: Iterable<Document> | AsyncIterable<Document>,
  options: AddDocumentsOptions = {},
): Promise<AddResult> {
  const { signal } = options;
  return writing(target, options, async (writer, account) => {
    let group: Document[] = [];
    const addGroup = async () => {
      const keys = group.map((document) => fileKey(document.id));
      const records = await getRecords(target.client, target.collection, keys);
      for (const document of group) {
        signal?.throwIfAborted();
        await addDocument(target, document, records.get(fileKey(document.id)), writer, account, signal);
      }
      group = [];
    };
    for await (const document of documents) {
      account.expect(1);
      group.push(document);
      if (group.length >= LOOKUP) await addGroup();
    }
    await addGroup();
  });
}

async function addDocument(
  target: AddTarget,
  document: Document,
  record: FileRecord | undefined,
  writer: CollectionWriter,
  account: Account,
  signal: AbortSignal | undefined,
): Promise<void> {
  const hash = sha256(JSON.stringify([contentKey(document), INGEST_VERSION]));
  if (record?.state === "complete" && record.hash === hash) {
    account.settle({ file: document.id, outcome: "unchanged", passages: record.passages });
    return;
  }
  const bytes = new TextEncoder().encode(document.text).length;
  const source = { file: document.id, hash, bytes, origin: "memory" as const };
  await writeDocuments(target, source, [document], record, writer, account, signal ? { signal } : {});
}
