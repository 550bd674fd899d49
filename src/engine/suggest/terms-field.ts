/** Where the terms of a field lie that words are corrected with. */
import { unsupported } from "../errors.ts";
import type { MappedField } from "../mapping/types.ts";

/** Elasticsearch keeps terms of these that this engine does not keep, or not as they are. */
const OTHER_TERMS: ReadonlySet<string> = new Set(["_id", "_routing", "boolean", "wildcard"]);

const TERMS: ReadonlySet<string> = new Set(["text", "keyword", "flattened", "metadata"]);

/** @returns undefined for fields without terms: nothing is suggested from them */
export function termsField({ name, type, family, info, runtime }: MappedField): string | undefined {
  if (runtime) return undefined;
  const refused = [name, type].find((each) => OTHER_TERMS.has(each));
  if (refused !== undefined) throw unsupported(`suggestions from [${refused}]`);
  return TERMS.has(family) || type === "completion" ? info.name : undefined;
}
