import { Embeddings, type EmbeddingsParams } from "@langchain/core/embeddings";
import { bundledEmbedding } from "../models/index.ts";
import { type EmbeddingModel, embedTexts } from "../schema/index.ts";

/**
 * An embedding model of this library as LangChain's; by default the bundled one, which needs no key and no download.
 *
 * @example const embeddings = new HuiliuEmbeddings();
 */
export class HuiliuEmbeddings extends Embeddings {
  private readonly model: EmbeddingModel;

  constructor({ model = bundledEmbedding(), ...params }: EmbeddingsParams & { model?: EmbeddingModel } = {}) {
    super(params);
    this.model = model;
  }

  async embedDocuments(documents: string[]): Promise<number[][]> {
    return (await embedTexts(this.model, documents, { kind: "document" })).map((vector) => Array.from(vector));
  }

  async embedQuery(query: string): Promise<number[]> {
    const [vector] = await embedTexts(this.model, [query], { kind: "query" });
    return Array.from(vector!);
  }
}
