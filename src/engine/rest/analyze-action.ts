/** `_analyze`: the tokens that a text becomes. */
import { resolveIndices } from "../action/index-names.ts";
import { analyzeRequest } from "../analysis/analyze-request.ts";
import { EngineError, illegalArgument } from "../errors.ts";
import { suggestion } from "../query/dsl/suggestion.ts";
import { type Action, bodyJson, indicesOptions } from "./call.ts";

export const analyze: Action = (call) => {
  const name = call.params.text("index");
  const options = indicesOptions(call);
  const body = bodyJson(call);
  if (body === undefined) throw new EngineError("parse_exception", "request body or source parameter is required");
  return () => {
    const { resources } = call.registry;
    if (name === undefined) return { body: analyzeRequest(body, { resources, suggestion }) };
    const found = resolveIndices(call.registry, [name], options);
    if (found.length !== 1) throw illegalArgument(`Index expression [${name}] must name one index`);
    const [{ index }] = found;
    const limit = Number(
      (index.settings as { analyze?: { max_token_count?: unknown } }).analyze?.max_token_count ?? 10_000,
    );
    const context = {
      analysis: index.analysis,
      field: (field: string) => index.mapping.field(field),
      maxTokenCount: limit,
    };
    return { body: analyzeRequest(body, { index: context, resources, suggestion }) };
  };
};
