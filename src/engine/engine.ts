/**
 * The embedded engine as a whole: indices over a storage, and the requests that it answers. It imports no Node module, so that it runs
 * wherever JavaScript runs; `elasticsearch/engine.ts` opens it over a data folder.
 */
import type { Rerankers } from "./action/search/index.ts";
import type { AnalysisResources } from "./analysis/types.ts";
import { openIndexRegistry } from "./index/index.ts";
import type { IndexRegistry } from "./index/types.ts";
import { createRest, type RestRequest, type RestResponse } from "./rest/index.ts";
import { matchesSimple } from "./simple-match.ts";
import type { Storage } from "./storage/types.ts";

export interface VerifyOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { done: number; total: number; what: string }) => void;
}

export interface EngineCore {
  /** Answers a request of Elasticsearch's HTTP API. Never throws: errors are answers too. */
  request(request: RestRequest): Promise<RestResponse>;
  /**
   * Makes searchable what is due to be, in the indices that the path of a search names: for those who search the same folder from elsewhere.
   */
  searchable(path: string): Promise<void>;
  /** Checks everything stored and names what is damaged. */
  verify(options?: VerifyOptions): Promise<{ damaged: readonly string[]; checked: number }>;
  readonly readOnly: boolean;
  readonly registry: IndexRegistry;
  close(): Promise<void>;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Opens the engine over a storage. The storage belongs to it from now on and is closed with it. */
export async function openEngineCore(options: {
  storage: Storage;
  resources: AnalysisResources;
  rerankers?: Rerankers;
}): Promise<EngineCore> {
  const registry = await openIndexRegistry(options.storage, options.resources);
  const rest = createRest(registry, options.rerankers);
  return {
    request: (request) => rest.handle(request),
    async searchable(path) {
      const [, first = ""] = path.split("/");
      const name = decoded(first);
      // Names that are worked out from the date may be any.
      const patterns = name === "" || name.startsWith("_") || name.includes("<") ? ["*"] : name.split(",");
      const named = (name: string) => patterns.some((pattern) => pattern === "_all" || matchesSimple(pattern, name));
      await Promise.all(
        registry.list().map(async (index) => {
          if (index.closed || ![index.name, ...Object.keys(index.aliases)].some(named)) return;
          await index.ready();
          // It is searched: an index that nobody searches does not refresh by itself.
          index.acquire().release();
        }),
      );
    },
    verify: (verifyOptions) => registry.verify(verifyOptions),
    readOnly: registry.readOnly,
    registry,
    async close() {
      rest.close();
      await registry.close();
      await options.storage.close();
    },
  };
}
