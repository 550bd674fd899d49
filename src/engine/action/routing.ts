/**
 * Values of routing. With one shard none leads a document elsewhere: a value is kept with its document, asked for where the mapping requires
 * one, and given by an alias that has one.
 */
import { EngineError, illegalArgument } from "../errors.ts";
import type { Index, IndexRegistry } from "../index/types.ts";
import type { JsonObject } from "../json/types.ts";

/** The routing of a request by the name of an index or alias. @throws where an alias asks for another one */
export function resolveRouting(registry: IndexRegistry, name: string, given: string | undefined): string | undefined {
  const routing = given === "" ? undefined : given;
  if (registry.get(name) !== undefined) return routing;
  const alias = registry.list().find(({ aliases }) => aliases[name] !== undefined)?.aliases[name];
  const own = (alias as JsonObject | undefined)?.index_routing;
  if (own === undefined) return routing;
  if (routing !== undefined && routing !== String(own)) {
    throw illegalArgument(
      `Alias [${name}] has index routing associated with it [${own}], and was provided with routing value [${routing}], rejecting operation`,
    );
  }
  return String(own);
}

/** @throws routing_missing_exception where the mapping requires a value */
export function checkRouting({ name, mapping }: Index, id: string, routing: string | undefined): void {
  if (routing !== undefined || !mapping.routingRequired) return;
  throw new EngineError("routing_missing_exception", `routing is required for [${name}]/[${id}]`, {
    metadata: { index_uuid: "_na_", index: name },
  });
}
