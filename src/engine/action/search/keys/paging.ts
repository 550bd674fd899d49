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
    const from = params.int("from");
    if (from !== undefined) {
      draft.from = checkedFrom(from);
      draft.fromGiven = true;
    }
    const size = params.int("size");
    if (size !== undefined) {
      draft.size = checkedSize(size);
      draft.sizeGiven = true;
    }
  },
};
