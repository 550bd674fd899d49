/** Data streams: there are none, which clients ask before they write to an index. */
import { resolveIndices } from "../action/index-names.ts";
import { type Action, acceptTimeouts, indicesOptions, names } from "./call.ts";
import { ADMIN_EXPAND } from "./index-actions.ts";

/** A name that is neither an index nor an alias is an error, as for Elasticsearch. */
export const getDataStreams: Action = (call) => {
  const expressions = names(call, "index");
  const options = indicesOptions(call, ADMIN_EXPAND);
  call.params.accept("local", "include_defaults", "verbose");
  acceptTimeouts(call);
  return () => {
    resolveIndices(call.registry, expressions, options);
    return { body: { data_streams: [] } };
  };
};
