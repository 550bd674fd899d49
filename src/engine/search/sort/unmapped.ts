/** `unmapped_type`: a field without values, for an index whose mapping does not have it. */
import { EngineError, illegalArgument, mapperParsing, unsupported } from "../../errors.ts";
import { FIELD_TYPES, UNSUPPORTED_FIELD_TYPES } from "../../mapping/registry.ts";
import type { MappedField } from "../../mapping/types.ts";
import type { QueryContext } from "../../query/dsl/index.ts";

/** Elasticsearch's name of it. */
const ANONYMOUS = "__anonymous_";

export function unmappedField(type: string, { mapping }: QueryContext): MappedField {
  if (UNSUPPORTED_FIELD_TYPES.has(type)) throw unsupported(`unmapped_type [${type}]`);
  if (!FIELD_TYPES.includes(type)) throw illegalArgument(`No mapper found for type [${type}]`);
  if (type === "object" || type === "nested") throw illegalArgument(`Mapper for type [${type}] must be a leaf field`);
  if (type === "alias") throw mapperParsing(`The [path] property must be specified for field [${ANONYMOUS}].`);
  try {
    return mapping.merge({ properties: { [ANONYMOUS]: { type } } }).field(ANONYMOUS)!;
  } catch (error) {
    // A parameter that its type cannot be without.
    throw error instanceof EngineError && error.cause instanceof EngineError ? error.cause : error;
  }
}
