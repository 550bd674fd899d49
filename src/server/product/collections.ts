/** Routes over collections and what lies in them: listing, reading, adding, removing. */
import type { Client } from "@elastic/elasticsearch";
import { z } from "zod";
import { placedPassages } from "../../collection/document.ts";
import type { AnalysisName, Collection } from "../../collection/types.ts";
import { document, type Metadata } from "../../schema/index.ts";
import { DocumentNotFoundError } from "../../tools/documents.ts";
import { READS, READS_FILTERED, WRITES } from "../access/caller.ts";
import { type Jobs, jobShape } from "./jobs.ts";
import { defineRoute, type Route } from "./route.ts";

/** Bytes of a file, and of documents in one request, at most. */
const MAX_FILE = 64 * 1024 * 1024;

export interface OpenHow {
  write?: boolean;
  /** Makes it when it is not there. */
  create?: boolean;
  analysis?: AnalysisName;
}

export type OpenCollection = (name: string, how?: OpenHow) => Promise<Collection>;

export interface CollectionAccess {
  readonly client: Client;
  /** Opens a collection, which the caller closes. */
  open: OpenCollection;
}

export const named = z.object({ name: z.string().min(1).describe("Name of the collection") });
const documentPath = named.extend({ document: z.string().min(1).describe("Its file or its id, percent-encoded") });

const statusShape = z.object({
  name: z.string(),
  documents: z.number(),
  passages: z.number(),
  embedding: z.object({ name: z.string(), dimensions: z.number() }),
  analysis: z.string(),
  weights: z.object({ bm25: z.number(), dense: z.number() }),
});
const recordShape = z.object({
  id: z.string(),
  file: z.string(),
  title: z.string().optional(),
  passages: z.number(),
  bytes: z.number(),
  added: z.string(),
});
const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** Runs work on an opened collection, and closes it. */
export async function within<T>(
  opening: Promise<Collection>,
  work: (collection: Collection) => Promise<T>,
): Promise<T> {
  const collection = await opening;
  try {
    return await work(collection);
  } finally {
    await collection.close();
  }
}

async function names(client: Client): Promise<string[]> {
  const mappings = await client.indices.getMapping({ index: "*" });
  return Object.entries(mappings)
    .filter(([, { mappings: found }]) => found._meta?.["huiliu"] !== undefined)
    .map(([name]) => name)
    .sort();
}

const status = async (collection: Collection, signal: AbortSignal) => {
  const { place: _, ...shown } = await collection.status({ signal });
  return shown;
};

export function collectionRoutes(access: CollectionAccess, jobs: Jobs): Route[] {
  return [
    defineRoute({
      method: "get",
      path: "/collections",
      id: "listCollections",
      needs: READS_FILTERED,
      summary: "The collections that there are",
      answer: z.object({ collections: z.array(z.object({ name: z.string() })) }),
      run: async () => ({ collections: (await names(access.client)).map((name) => ({ name })) }),
    }),
    defineRoute({
      method: "put",
      path: "/collections/{name}",
      id: "makeCollection",
      needs: WRITES,
      summary: "Make a collection, if it is not there",
      params: named,
      body: z.strictObject({ analysis: z.enum(["default", "ik"]).optional() }),
      answer: statusShape,
      run: ({ params: { name }, body: { analysis }, signal }) =>
        within(access.open(name, { write: true, create: true, ...(analysis ? { analysis } : {}) }), (opened) =>
          status(opened, signal),
        ),
    }),
    defineRoute({
      method: "get",
      path: "/collections/{name}",
      id: "collectionStatus",
      needs: READS,
      summary: "How much a collection holds, and how it was made",
      params: named,
      answer: statusShape,
      run: ({ params: { name }, signal }) => within(access.open(name), (opened) => status(opened, signal)),
    }),
    defineRoute({
      method: "get",
      path: "/collections/{name}/documents",
      id: "listDocuments",
      needs: READS,
      summary: "Documents by file name, in pages",
      params: named,
      query: z.strictObject({
        prefix: z.string().optional().describe("Only files whose name begins so"),
        after: z.string().optional().describe("Begin after this file: nextAfter of the page before"),
        limit: z.coerce.number().int().min(1).max(1000).default(100),
      }),
      answer: z.object({ documents: z.array(recordShape), nextAfter: z.string().optional() }),
      run: ({ params: { name }, query: { prefix, after, limit }, signal }) =>
        within(access.open(name), async (opened) => {
          const documents = [];
          const from = { signal, ...(prefix ? { prefix } : {}), ...(after === undefined ? {} : { after }) };
          for await (const record of opened.list(from)) {
            if (documents.length === limit) return { documents, nextAfter: documents.at(-1)!.file };
            documents.push(record);
          }
          return { documents };
        }),
    }),
    defineRoute({
      method: "get",
      path: "/collections/{name}/documents/{document}",
      id: "readDocument",
      needs: READS,
      summary: "A document's text and passages",
      params: documentPath,
      answer: recordShape.extend({
        text: z.string(),
        nodes: z.array(
          z.object({
            id: z.string(),
            text: z.string(),
            metadata: z.record(z.string(), z.unknown()),
            start: z.number().optional(),
            end: z.number().optional(),
            at: z.object({ from: z.number(), to: z.number() }).describe("Where it stands in the text above"),
          }),
        ),
      }),
      run: ({ params: { name, document: wanted }, signal }) =>
        within(access.open(name), async (opened) => {
          const found = await opened.get(wanted, { signal });
          if (!found) throw new DocumentNotFoundError(wanted, name);
          const { places } = placedPassages(found.nodes);
          const nodes = found.nodes.map(({ id, text, metadata, startCharIdx: start, endCharIdx: end }, i) => ({
            id,
            text,
            metadata,
            at: places[i]!,
            ...(start === undefined ? {} : { start }),
            ...(end === undefined ? {} : { end }),
          }));
          return { ...found, nodes };
        }),
    }),
    defineRoute({
      method: "delete",
      path: "/collections/{name}/documents/{document}",
      id: "removeDocument",
      needs: WRITES,
      summary: "Remove a document, or all documents of a folder",
      params: documentPath,
      answer: z.object({ removed: z.array(z.string()) }),
      run: ({ params: { name, document: wanted }, signal }) =>
        within(access.open(name, { write: true }), async (opened) => {
          const { removed } = await opened.remove(wanted, { signal });
          if (removed.length === 0) throw new DocumentNotFoundError(wanted, name);
          return { removed };
        }),
    }),
    defineRoute({
      method: "post",
      path: "/collections/{name}/documents",
      id: "addDocuments",
      needs: WRITES,
      summary: "Index documents; the same id again replaces one. Answers with a job",
      params: named,
      maxBodyBytes: MAX_FILE,
      body: z.strictObject({
        documents: z
          .array(
            z.strictObject({
              id: z.string().min(1).max(1024),
              text: z.string(),
              metadata: z.record(z.string(), z.union([scalar, z.array(scalar)])).default({}),
            }),
          )
          .min(1)
          .max(10_000),
      }),
      status: 202,
      answer: jobShape,
      async run({ params: { name }, body: { documents } }) {
        // A collection that is not there is told now, not by the job.
        await within(access.open(name), async () => {});
        return jobs.start(name, (options) =>
          within(access.open(name, { write: true }), (opened) =>
            opened.addDocuments(
              documents.map(({ metadata, ...given }) => document({ ...given, metadata: metadata as Metadata })),
              options,
            ),
          ),
        );
      },
    }),
    defineRoute({
      method: "put",
      path: "/collections/{name}/files/{file}",
      id: "addFile",
      needs: WRITES,
      summary:
        "Index a file: its bytes are the body, its name (percent-encoded) says how it is read. Answers with a job",
      params: named.extend({
        file: z.string().min(1).describe("A relative path such as policies/leave.pdf, percent-encoded"),
      }),
      maxBodyBytes: MAX_FILE,
      body: { bytes: true, description: "The file" },
      status: 202,
      answer: jobShape,
      async run({ params: { name, file }, body: bytes }) {
        await within(access.open(name), async () => {});
        return jobs.start(name, (options) =>
          within(access.open(name, { write: true }), (opened) => opened.addContents([{ file, bytes }], options)),
        );
      },
    }),
  ];
}
