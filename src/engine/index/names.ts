/** Names of indices, as Elasticsearch's MetadataCreateIndexService accepts them, and the errors around them. */
import { EngineError } from "../errors.ts";

const FORBIDDEN = /[\\ "<*?>|,/]/;
const MAX_NAME_BYTES = 255;

/** Throws `invalid_index_name_exception` for a name that no index may have. */
export function checkIndexName(name: string): void {
  const fail = (why: string) =>
    new EngineError("invalid_index_name_exception", `Invalid index name [${name}], ${why}`, {
      metadata: { index_uuid: "_na_", index: name },
    });
  if (name === "") throw fail("must not be empty");
  if (FORBIDDEN.test(name)) {
    throw fail("must not contain the following characters ['\\',' ','\"','<','*','?','>','|',',','/']");
  }
  if (name.includes("#")) throw fail("must not contain '#'");
  if (name.includes(":")) throw fail("must not contain ':'");
  if (/^[_\-+]/.test(name)) throw fail("must not start with '_', '-', or '+'");
  const bytes = new TextEncoder().encode(name).length;
  if (bytes > MAX_NAME_BYTES) throw fail(`index name is too long, (${bytes} > ${MAX_NAME_BYTES})`);
  if (name === "." || name === "..") throw fail("must not be '.' or '..'");
  if (name.toLowerCase() !== name) throw fail("must be lowercase");
}

export function indexExists(name: string, uuid: string): EngineError {
  return new EngineError("resource_already_exists_exception", `index [${name}/${uuid}] already exists`, {
    metadata: { index_uuid: uuid, index: name },
  });
}

export function indexNotFound(name: string): EngineError {
  return new EngineError("index_not_found_exception", `no such index [${name}]`, {
    status: 404,
    metadata: { "resource.type": "index_or_alias", "resource.id": name, index_uuid: "_na_", index: name },
  });
}

/** An index that was deleted while somebody held it. */
export function indexClosed(name: string): EngineError {
  return new EngineError("index_closed_exception", `the index [${name}] is closed or was deleted`, {
    metadata: { index: name },
  });
}
