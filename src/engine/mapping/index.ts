/**
 * Mappings: the types of fields, how values of documents and queries turn into what is indexed, and how a mapping grows with documents.
 *
 * A mapping is an immutable tree (`model.ts`) that `parse-mapping.ts` reads and `merge.ts` updates; `registry.ts` lists the field types,
 * one file for each family in `fields/`; `document.ts` parses documents along the tree, and `dynamic.ts` gives new fields their types;
 * `date/` reads, prints and calculates dates.
 */
export { documentSyntaxError } from "./document-errors.ts";
export { emptyMapping, existsBy, type IndexMapping, parseMapping } from "./mapping.ts";
export type { ExistsBy, MappingContext } from "./model.ts";
