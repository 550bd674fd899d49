/** `suggest`, and the one correction that the URL can ask for. */
import { EngineError, illegalArgument } from "../../../errors.ts";
import type { JsonObject } from "../../../json/types.ts";
import { parseSuggest, termSuggestion } from "../../../suggest/index.ts";
import type { RequestFeature } from "./types.ts";

const PARAMS = ["suggest_text", "suggest_size", "suggest_mode"];

export const suggestKeys: RequestFeature = {
  keys: {
    suggest: {
      kinds: ["object"],
      read(body, key, draft) {
        draft.suggest = parseSuggest(body[key] as JsonObject);
      },
    },
  },
  params(params, draft, path) {
    const field = params.text("suggest_field");
    if (field === undefined) {
      const given = PARAMS.filter((name) => params.has(name));
      if (given.length > 0) {
        throw illegalArgument(
          `request [${path}] contains parameters [${given.join(", ")}] but missing 'suggest_field' parameter.`,
        );
      }
      return;
    }
    const text = params.text("suggest_text") ?? params.text("q");
    const size = params.int("suggest_size");
    const mode = params.text("suggest_mode");
    // Elasticsearch asks for the mode's name without looking whether there is one.
    const missing = new EngineError("null_pointer_exception", "Input string is null", { status: 500 });
    const suggestion = termSuggestion(field, {
      ...(size === undefined ? {} : { size }),
      mode: () => {
        if (mode === undefined) throw missing;
        return mode;
      },
    });
    draft.suggest = { suggestions: [{ ...suggestion, ...(text === undefined ? {} : { text }) }] };
  },
};
