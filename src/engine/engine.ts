/**
 * The embedded engine as a whole: indices over a storage, and the requests that it answers. It imports no Node module, so that it runs
 * wherever JavaScript runs; `elasticsearch/engine.ts` opens it over a data folder.
 */
import type { Rerankers } from "./action/search/index.ts";
import type { AnalysisResources } from "./analysis/types.ts";
import { openIndexRegistry } from "./index/index.ts";
import type { IndexRegistry } from "./index/types.ts";
import { createRest, type RestRequest, type RestResponse } from "./rest/index.ts";
import type { Storage } from "./storage/types.ts";

export interface VerifyOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { done: number; total: number; what: string }) => void;
}

export interface EngineCore {
  /** Answers a request of Elasticsearch's HTTP API. Never throws: errors are answers too. */
  request(request: RestRequest): Promise<RestResponse>;
  /** Checks everything stored and names what is damaged. */
  verify(options?: VerifyOptions): Promise<{ damaged: readonly string[]; checked: number }>;
  readonly readOnly: boolean;
  readonly registry: IndexRegistry;
  close(): Promise<void>;
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
