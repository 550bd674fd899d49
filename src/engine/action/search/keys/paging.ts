/** `from` and `size`. */
import { illegalArgument } from "../../../errors.ts";
import { readInt } from "../../../query/dsl/read.ts";
import type { RequestFeature } from "./types.ts";

function checkedFrom(from: number): number {
  if (from < 0) throw illegalArgument(`[from] parameter cannot be negative but was [${from}]`);
  return from;
}

function checkedSize(size: number): number {
  if (size < 0) throw illegalArgument(`[size] parameter cannot be negative, found [${size}]`);
  return size;
}

export const pagingKeys: RequestFeature = {
  keys: {
    from: {
      kinds: ["scalar"],
      read(body, key, draft) {
        draft.from = checkedFrom(readInt(body[key]));
        draft.fromGiven = true;
      },
    },
    size: {
      kinds: ["scalar"],
      read(body, key, draft) {
        draft.size = checkedSize(readInt(body[key]));
        draft.sizeGiven = true;
      },
    },
  },
  params(params, draft) {
    // Not asked for where it is not there: no one is told of it who misspells another.
    if (params.has("from")) {
      draft.from = checkedFrom(params.int("from") as number);
      draft.fromGiven = true;
    }
    if (params.has("size")) {
      draft.size = checkedSize(params.int("size") as number);
      draft.sizeGiven = true;
    }
  },
};
