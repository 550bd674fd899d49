/** One call of DashScope's native API: JSON there, JSON back, errors told as everywhere, repeated where that may help. */

import { ModelError } from "../../schema/errors.ts";
import { answeredError, modelError } from "../model-error.ts";
import { withRetries } from "../retry.ts";

export interface DashScopeAccess {
  apiKey: string;
  /** Scheme and host, such as `https://dashscope.aliyuncs.com`. */
  root: string;
  maxRetries: number;
  /** Waits between attempts start with this; see `withRetries`. */
  firstWaitMs?: number | undefined;
}

export interface DashScopeAnswer {
  output?: unknown;
  usage?: { total_tokens?: unknown; input_tokens?: unknown };
  request_id?: string;
  code?: string;
  message?: string;
}

/** Sends `body` to a path below `/api/v1/services`. */
export function callDashScope(
  access: DashScopeAccess,
  model: string,
  path: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<DashScopeAnswer> {
  const url = `${access.root}/api/v1/services/${path}`;
  return withRetries(() => call(url, access.apiKey, model, body, signal), {
    maxRetries: access.maxRetries,
    firstWaitMs: access.firstWaitMs,
    signal,
  });
}

async function call(
  url: string,
  apiKey: string,
  model: string,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<DashScopeAnswer> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
    text = await response.text();
  } catch (error) {
    const { message, cause } = error as { message: string; cause?: unknown };
    throw modelError(model, { message, cause, url }, signal);
  }
  const where = ` at ${new URL(url).origin}`;
  const header = (name: string) => response.headers.get(name);
  if (!response.ok) {
    throw answeredError(model, { status: response.status, where, message: response.statusText, body: text, header });
  }
  let answer: DashScopeAnswer;
  try {
    answer = JSON.parse(text) as DashScopeAnswer;
  } catch (cause) {
    const shown = text.slice(0, 100);
    throw new ModelError(model, `${model} answered${where} with something that is not JSON: ${shown}`, { cause });
  }
  // A gateway in between may pass an error on with the status of success.
  if (answer.code) throw answeredError(model, { status: response.status, where, body: text, header });
  return answer;
}
