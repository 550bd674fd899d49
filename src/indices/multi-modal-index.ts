/**
 * Texts and images in one index: texts by a text embedding, images by a model that sees both; what each finds is fused. An image's caption
 * is a text as well.
 */
import { bundleOf, defineRetriever, fusionRetriever, retrieveOptions } from "../retrieval/index.ts";
import {
  type CallOptions,
  callOptions,
  type EmbeddingModel,
  embedQuery,
  type Filters,
  type ImageEmbeddingModel,
  type ImageInput,
  type ImageNode,
  InvalidArgumentError,
  type Node,
  type NodeWithScore,
  type Retriever,
  step,
  type VectorStore,
} from "../schema/index.ts";
import { type StorageContext, simpleVectorStore, storageContext } from "../stores/index.ts";
import { vectorStoreIndex } from "./vector-store-index.ts";

/** The nodes, the models for texts and images, and the stores of a multi-modal index. */
export interface MultiModalIndexOptions extends CallOptions {
  nodes: Iterable<Node>;
  embedding: EmbeddingModel;
  imageEmbedding: ImageEmbeddingModel;
  /** Where texts and nodes are kept. Default: in memory. */
  storage?: StorageContext;
  /** Where vectors of images are kept. Default: in memory. */
  imageStore?: VectorStore;
}

/** How many nodes a multi-modal retriever gives, and with which filters. */
export interface MultiModalRetrieverOptions {
  /** Default 10. */
  topK?: number;
  filters?: Filters;
}

/** Texts and images in one index, found by one question. */
export interface MultiModalIndex {
  insertNodes(nodes: Iterable<Node>, options?: CallOptions): Promise<void>;
  /** Texts and captions. */
  textRetriever(options?: MultiModalRetrieverOptions): Retriever;
  /** Images, by what is said of them in the question, or like the question's `imagePath`. */
  imageRetriever(options?: MultiModalRetrieverOptions): Retriever;
  /** Both, fused by their ranks; with an `imagePath` and no words, images alone. */
  asRetriever(options?: MultiModalRetrieverOptions): Retriever;
}

const BATCH = 16;

/**
 * Makes an index of texts and images.
 *
 * @example
 * const index = await multiModalIndex({ nodes, embedding, imageEmbedding });
 * await index.asRetriever({ topK: 5 }).retrieve("红色自行车");
 */
export async function multiModalIndex(options: MultiModalIndexOptions): Promise<MultiModalIndex> {
  const { embedding, imageEmbedding, imageStore = simpleVectorStore() } = options;
  const storage = options.storage ?? storageContext();
  const { docstore } = storage;
  const texts = await vectorStoreIndex({ storage, embedding });

  async function insertNodes(given: Iterable<Node>, call: CallOptions = {}): Promise<void> {
    const nodes = [...given];
    await texts.insertNodes(
      nodes.filter((node) => node.type !== "image" || node.text.trim() !== ""),
      call,
    );
    const images = nodes.filter((node) => node.type === "image");
    await docstore.add(images, call);
    for (let i = 0; i < images.length; i += BATCH) {
      const batch = images.slice(i, i + BATCH);
      const vectors = await embedImages(batch.map(imageOf), call);
      await imageStore.add(
        batch.map((node, n) => ({ node, embedding: vectors[n]! })),
        call,
      );
    }
  }

  function embedImages(images: ImageInput[], call: CallOptions): Promise<Float32Array[]> {
    const what = { kind: "embed", name: imageEmbedding.name, attributes: { images: images.length } } as const;
    return step(call, what, (inner) => imageEmbedding.embedImages(images, inner));
  }

  function imageRetriever({ topK = 10, filters }: MultiModalRetrieverOptions = {}): Retriever {
    return defineRetriever(
      async (input) => {
        const [bundle, call] = [bundleOf(input), callOptions(input)];
        const vector =
          bundle.imagePath === undefined
            ? await embedQuery(imageEmbedding, bundle, call)
            : (await embedImages([{ path: bundle.imagePath }], call))[0];
        if (!vector)
          throw new InvalidArgumentError("query", bundle.query, "the question has neither words nor an image");
        const query = { embedding: vector, topK, mode: "default", ...(filters ? { filters } : {}) } as const;
        const { ids = [], similarities = [] } = await imageStore.query(query, call);
        const known = new Map((await docstore.get(ids, call)).map((node) => [node.id, node as Node]));
        return ids.flatMap((id, i): NodeWithScore[] => {
          const node = known.get(id);
          return node ? [{ node, score: similarities[i] ?? 0 }] : [];
        });
      },
      { name: "images" },
    );
  }

  const textRetriever = (given: MultiModalRetrieverOptions = {}) => texts.asRetriever({ name: "texts", ...given });

  await insertNodes(options.nodes, options);
  return {
    insertNodes,
    textRetriever,
    imageRetriever,
    asRetriever(given = {}) {
      const retrievers = { texts: textRetriever(given), images: imageRetriever(given) };
      const both = fusionRetriever({ retrievers, ...given });
      return defineRetriever((input) => {
        const asked = input.query === "" && input.imagePath !== undefined ? retrievers.images : both;
        return asked.retrieve(bundleOf(input), retrieveOptions(input));
      });
    },
  };
}

function imageOf({ image, imagePath, imageUrl, imageMimeType }: ImageNode): ImageInput {
  return {
    ...(image === undefined ? {} : { image }),
    ...(imagePath === undefined ? {} : { path: imagePath }),
    ...(imageUrl === undefined ? {} : { url: imageUrl }),
    ...(imageMimeType === undefined ? {} : { mimeType: imageMimeType }),
  };
}
