/** Adding to a collection: files are read, split, embedded and indexed; what has not changed is skipped, what has vanished removed. */
import { existsSync } from "node:fs";
import type { Client } from "@elastic/elasticsearch";
import {
  type FoundFile,
  fileSource,
  findFiles,
  INGEST_VERSION,
  isGlob,
  loadFile,
  readDocuments,
} from "../ingest/index.ts";
import { mostlyUnknownScripts } from "../models/index.ts";
import {
  type CallOptions,
  callOptions,
  contentKey,
  type Document,
  type EmbeddingModel,
  FileError,
  InvalidArgumentError,
  type Metadata,
  type Splitter,
  sha256,
  type TextNode,
} from "../schema/index.ts";
import type { CollectionMeta } from "./layout.ts";
import { isBelow } from "./paths.ts";
import { type FileRecord, fileKey, getRecords, listRecords } from "./records.ts";
import { refreshBoth } from "./refresh.ts";
import type {
  AddContentsOptions,
  AddDocumentsOptions,
  AddOptions,
  AddResult,
  FileContent,
  FileOutcome,
} from "./types.ts";
import { type CollectionWriter, collectionWriter } from "./writer.ts";

/** Files whose records are looked up in one request. */
const LOOKUP = 100;

export interface AddTarget {
  client: Client;
  collection: string;
  meta: CollectionMeta;
  embedding: EmbeddingModel;
  splitter: Splitter;
  /** Sizes of passages that are not the default: files that were cut otherwise are cut anew. */
  cutBy?: { size?: number; overlap?: number };
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
  /** Files that are handed to the writer and whose fate is open. */
  const open = new Set<string>();
  return {
    result,
    open,
    expect(files: number) {
      total += files;
    },
    progress(file: string, stage: "read" | "index") {
      options.onProgress?.({ done, total, file, stage });
    },
    settle(outcome: FileOutcome) {
      open.delete(outcome.file);
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
  found: FoundFile | FileContent,
  record: FileRecord | undefined,
  writer: CollectionWriter,
  account: Account,
  { signal, metadata }: Pick<AddOptions, "signal" | "metadata">,
): Promise<void> {
  const call = signal ? { signal } : {};
  const { file } = found;
  try {
    const inMemory = "path" in found ? {} : { origin: "memory" as const };
    const { source, hash: bytes } =
      "path" in found ? await loadFile(found, call) : fileSource(file, found.bytes, found.modified);
    const hash = sha256(JSON.stringify([bytes, INGEST_VERSION, metadata ?? {}, ...cuts(target)]));
    if (record?.state === "complete" && record.hash === hash) {
      account.settle({ file, outcome: "unchanged", passages: record.passages });
      return;
    }
    const documents = (await readDocuments(source, call)).map((document) => withMetadata(document, metadata));
    const size = source.bytes.length;
    await writeDocuments(target, { file, hash, bytes: size, ...inMemory }, documents, record, writer, account, call);
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
  account.open.add(file);
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
  return inGroups(
    target,
    documents,
    ({ id }) => id,
    options,
    (document, record, writer, account) => addDocument(target, document, record, writer, account, signal),
  );
}

/** Adds files whose bytes are in memory, as if they lay under their names; the same name again replaces one. */
export function addContents(
  target: AddTarget,
  files: Iterable<FileContent> | AsyncIterable<FileContent>,
  options: AddContentsOptions = {},
): Promise<AddResult> {
  return inGroups(target, files, checkedName, options, (content, record, writer, account) =>
    addFile(target, content, record, writer, account, options),
  );
}

/** What comes from outside may not pretend to lie elsewhere. */
function checkedName({ file }: FileContent): string {
  const parts = file.split("/");
  const ok =
    file !== "" &&
    file.length <= 1024 &&
    !/[\0-\x1f\\]/.test(file) &&
    parts.every((part) => !["", ".", ".."].includes(part));
  if (ok) return file;
  throw new InvalidArgumentError(
    "file",
    file,
    "a file's name is a relative path such as policies/leave.pdf, of at most 1,024 characters, without .. and control characters",
  );
}

/** Adds what is in memory under its names, as many as one look at their records takes at a time. */
function inGroups<T>(
  target: AddTarget,
  items: Iterable<T> | AsyncIterable<T>,
  name: (item: T) => string,
  options: AddDocumentsOptions,
  add: (item: T, record: FileRecord | undefined, writer: CollectionWriter, account: Account) => Promise<void>,
): Promise<AddResult> {
  return writing(target, options, async (writer, account) => {
    let group = new Map<string, T>();
    const addGroup = async () => {
      const records = await getRecords(target.client, target.collection, [...group.keys()].map(fileKey));
      for (const [file, item] of group) {
        options.signal?.throwIfAborted();
        await add(item, records.get(fileKey(file)), writer, account);
      }
      group = new Map();
    };
    for await (const item of items) {
      account.expect(1);
      const file = name(item);
      const again = group.has(file);
      if (again || group.size >= LOOKUP) await addGroup();
      // The same name again replaces what came before it: that has to be written, so that its record tells what to replace.
      if (again || account.open.has(file)) await writer.flush(options.signal ? { signal: options.signal } : {});
      group.set(file, item);
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
  const hash = sha256(JSON.stringify([contentKey(document), INGEST_VERSION, ...cuts(target)]));
  if (record?.state === "complete" && record.hash === hash) {
    account.settle({ file: document.id, outcome: "unchanged", passages: record.passages });
    return;
  }
  const bytes = new TextEncoder().encode(document.text).length;
  const source = { file: document.id, hash, bytes, origin: "memory" as const };
  await writeDocuments(target, source, [document], record, writer, account, signal ? { signal } : {});
}

/** What of the target decides how documents are cut, for their hashes. */
function cuts({ cutBy }: AddTarget): unknown[] {
  return cutBy ? [[cutBy.size, cutBy.overlap]] : [];
}
