/** `version`, and `seq_no_primary_term`. */
import type { FetchSubPhase } from "./types.ts";

/** One primary, which never moves. */
const PRIMARY_TERM = 1;

export const version: FetchSubPhase = ({ options }) =>
  options.version ? ({ leaf, local }) => ({ _version: leaf.segment.version(local) }) : undefined;

export const seqNoPrimaryTerm: FetchSubPhase = ({ options }) =>
  options.seqNoPrimaryTerm
    ? ({ leaf, local }) => ({ _seq_no: leaf.segment.seqNo(local), _primary_term: PRIMARY_TERM })
    : undefined;
