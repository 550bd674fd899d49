/** `version`, and `seq_no_primary_term`. */
import { EngineError } from "../../../errors.ts";
import { shardError } from "../../../query/dsl/index.ts";
import type { FetchSubPhase } from "./types.ts";

/** One primary, which never moves. */
const PRIMARY_TERM = 1;

export const version: FetchSubPhase = ({ options }) =>
  options.version
    ? ({ leaf, local }, shown) => {
        shown["_version"] = leaf.segment.version(local);
      }
    : undefined;

export const seqNoPrimaryTerm: FetchSubPhase = ({ options }) =>
  options.seqNoPrimaryTerm
    ? ({ leaf, local, nested }, shown) => {
        if (nested) throw nestedWithoutNumber();
        shown["_seq_no"] = leaf.segment.seqNo(local);
        shown["_primary_term"] = PRIMARY_TERM;
      }
    : undefined;

const nestedWithoutNumber = () =>
  shardError(
    new EngineError("unsupported_operation_exception", "nested documents are not assigned sequence numbers", {
      status: 500,
    }),
  );
