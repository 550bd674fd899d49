/**
 * The errors of everything above the engine. Each has a `code` to branch on, the facts as fields, and a message that says
 * what to do. (The engine's own errors carry Elasticsearch's types and statuses: see `engine/errors.ts`.)
 */

/** The base of all errors that Huiliu throws on purpose. */
export class HuiliuError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
  }
}

/** An option or an argument that cannot be used. Code `INVALID_ARGUMENT`. */
export class InvalidArgumentError extends HuiliuError {
  readonly argument: string;
  readonly value: unknown;

  constructor(argument: string, value: unknown, message: string) {
    super("INVALID_ARGUMENT", message);
    this.argument = argument;
    this.value = value;
  }
}

/** A metadata filter that cannot be understood or applied. Code `INVALID_FILTER`. */
export class FilterError extends HuiliuError {
  readonly key: string;

  constructor(key: string, message: string) {
    super("INVALID_FILTER", message);
    this.key = key;
  }
}

/** A model is needed and none was configured. Code `MODEL_NOT_CONFIGURED`. */
export class ModelNotConfiguredError extends HuiliuError {
  readonly kind: "language" | "embedding" | "rerank";
  /** What wanted it, such as `tree_summarize`. */
  readonly neededBy: string;

  constructor(kind: "language" | "embedding" | "rerank", neededBy: string, remedy: string) {
    const what =
      kind === "rerank" ? "a reranking model" : kind === "language" ? "a language model" : "an embedding model";
    super("MODEL_NOT_CONFIGURED", `${neededBy} needs ${what}: ${remedy}`);
    this.kind = kind;
    this.neededBy = neededBy;
  }
}

/** The environment holds no key for a provider. Code `API_KEY_MISSING`. */
export class ApiKeyMissingError extends HuiliuError {
  readonly provider: string;
  /** The environment variables looked at, in order. */
  readonly variables: readonly string[];

  constructor(provider: string, variables: readonly string[], options?: { cause?: unknown }) {
    super(
      "API_KEY_MISSING",
      `${provider} needs an API key: set the environment variable ${variables.join(" or ")}`,
      options,
    );
    this.provider = provider;
    this.variables = variables;
  }
}

/** An optional package is not installed. Code `PACKAGE_MISSING`. */
export class PackageMissingError extends HuiliuError {
  readonly packageName: string;

  constructor(packageName: string, neededBy: string, options: { version?: string; cause?: unknown } = {}) {
    const install = options.version === undefined ? packageName : `${packageName}@${options.version}`;
    super("PACKAGE_MISSING", `${neededBy} needs the package ${packageName}: npm install ${install}`, options);
    this.packageName = packageName;
  }
}

/** Why a model's call failed, where the provider's answer tells. */
export type ModelFailure =
  | "rate_limit"
  | "quota"
  | "inspection"
  | "api_key"
  | "access"
  | "not_found"
  | "too_long"
  | "invalid_request"
  | "server"
  | "network";

/** What is known of a model's failure: reason, status, the provider's code and request id. */
export interface ModelErrorFacts {
  /** HTTP status where there was one. */
  status?: number;
  reason?: ModelFailure;
  /** The provider's own code, such as `Throttling.RateQuota`. */
  providerCode?: string;
  /** What the provider's support asks for. */
  requestId?: string;
  /** Whether the same call may succeed later. Default false. */
  retryable?: boolean;
  /** How long the provider wants to be left alone. */
  retryAfterMs?: number;
  cause?: unknown;
}

/** A model was called and failed. Code `MODEL_FAILED`; the provider's error is the `cause`. */
export class ModelError extends HuiliuError {
  readonly model: string;
  readonly status: number | undefined;
  readonly reason: ModelFailure | undefined;
  readonly providerCode: string | undefined;
  readonly requestId: string | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(model: string, message: string, facts: ModelErrorFacts = {}) {
    super("MODEL_FAILED", message, facts);
    this.model = model;
    this.status = facts.status;
    this.reason = facts.reason;
    this.providerCode = facts.providerCode;
    this.requestId = facts.requestId;
    this.retryable = facts.retryable ?? false;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** A streamed answer was asked for from a model that cannot stream. Code `STREAMING_NOT_SUPPORTED`. */
export class StreamingNotSupportedError extends HuiliuError {
  /** The model or the response mode. */
  readonly what: string;

  constructor(what: string, message: string) {
    super("STREAMING_NOT_SUPPORTED", message);
    this.what = what;
  }
}

/** A model's answer is not of the form it was asked for. Code `ANSWER_FORMAT`. */
export class AnswerFormatError extends HuiliuError {
  readonly model: string;
  /** What it answered. */
  readonly answer: string;

  constructor(model: string, answer: string, message: string, options?: { cause?: unknown }) {
    super("ANSWER_FORMAT", message, options);
    this.model = model;
    this.answer = answer;
  }
}

/** A prompt does not fit into the model's window. Code `PROMPT_TOO_LONG`. */
export class PromptTooLongError extends HuiliuError {
  readonly contextWindow: number;
  readonly promptTokens: number;
  readonly maxOutputTokens: number;

  constructor(facts: { contextWindow: number; promptTokens: number; maxOutputTokens: number }, message: string) {
    super("PROMPT_TOO_LONG", message);
    this.contextWindow = facts.contextWindow;
    this.promptTokens = facts.promptTokens;
    this.maxOutputTokens = facts.maxOutputTokens;
  }
}

/** Vectors of another length than the index or the model promises. Code `DIMENSIONS_DIFFER`. */
export class DimensionsError extends HuiliuError {
  readonly expected: number;
  readonly actual: number;

  constructor(expected: number, actual: number, message: string) {
    super("DIMENSIONS_DIFFER", message);
    this.expected = expected;
    this.actual = actual;
  }
}

/** Why a file cannot be read, as a `FileError` names it. */
export type FileErrorCode =
  | "FILE_NOT_FOUND"
  | "FILE_TOO_LARGE"
  | "FILE_TYPE_UNKNOWN"
  | "FILE_BINARY"
  | "FILE_ENCRYPTED"
  | "FILE_EMPTY"
  | "FILE_DAMAGED"
  | "FILE_UNREADABLE";

/** A file that cannot be read. Reading goes on with the next one. */
export class FileError extends HuiliuError {
  declare readonly code: FileErrorCode;
  readonly file: string;

  constructor(code: FileErrorCode, file: string, message: string, options?: { cause?: unknown }) {
    super(code, `${file}: ${message}`, options);
    this.file = file;
  }
}
