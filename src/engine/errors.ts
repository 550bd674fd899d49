/**
 * Errors of the engine: Elasticsearch's status, type and reason, so that the REST layer can print what Elasticsearch prints.
 */

export interface EngineErrorOptions {
  /** HTTP status. Default 400. */
  status?: number;
  /** Further keys of the error object, such as `index`, `line` and `col`. */
  metadata?: Record<string, unknown>;
  /** The error that `caused_by` describes. */
  cause?: unknown;
  /** `root_cause` where it is not the error itself; an empty one is printed so. */
  rootCause?: readonly EngineError[] | undefined;
  /** Java's exception had no message: `reason` is printed as null. */
  noReason?: boolean;
}

/** An error with the type and the status that Elasticsearch gives it. */
export class EngineError extends Error {
  readonly type: string;
  readonly status: number;
  readonly metadata: Record<string, unknown>;
  readonly rootCause: readonly EngineError[] | undefined;
  readonly noReason: boolean;

  constructor(type: string, reason: string, options: EngineErrorOptions = {}) {
    super(reason, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "EngineError";
    this.type = type;
    this.status = options.status ?? 400;
    this.metadata = options.metadata ?? {};
    this.rootCause = options.rootCause;
    this.noReason = options.noReason ?? false;
  }

  /** Elasticsearch's word for the message. */
  get reason(): string {
    return this.message;
  }
}

export function illegalArgument(reason: string, options?: EngineErrorOptions): EngineError {
  return new EngineError("illegal_argument_exception", reason, options);
}

/** A request that is not understood: `parsing_exception`, with its place in the body where that is known. */
export function parsingError(reason: string, options?: EngineErrorOptions): EngineError {
  return new EngineError("parsing_exception", reason, options);
}

/** A document that does not fit the mapping. */
export function documentParsing(reason: string, options?: EngineErrorOptions): EngineError {
  return new EngineError("document_parsing_exception", reason, options);
}

export function mapperParsing(reason: string, options?: EngineErrorOptions): EngineError {
  return new EngineError("mapper_parsing_exception", reason, options);
}

/** What Elasticsearch knows and this engine does not support. The feature is named as the DSL names it. @param instead what to use */
export function unsupported(feature: string, instead?: string): EngineError {
  const reason = `[${feature}] is not supported by the embedded engine`;
  return new EngineError("unsupported_feature_exception", instead === undefined ? reason : `${reason}; ${instead}`);
}

/** Stored bytes that are not what was written: named, never answered from. */
export function corrupt(place: string, what: string): EngineError {
  return new EngineError(
    "corrupt_index_exception",
    `${what} in [${place}]; restore this data folder from a copy, or index its documents again`,
    {
      status: 500,
    },
  );
}

export function taskCancelled(): EngineError {
  return new EngineError("task_cancelled_exception", "the request was cancelled by its caller", { status: 400 });
}

const DATA_FOLDER_MISSING = "data_folder_missing_exception";

/** There is no data folder where one was to be opened and not made. */
export function dataFolderMissing(folder: string): EngineError {
  return new EngineError(
    DATA_FOLDER_MISSING,
    `there is no data folder at [${folder}]; create it by opening it for writing`,
  );
}

export function isDataFolderMissing(error: unknown): boolean {
  return error instanceof EngineError && error.type === DATA_FOLDER_MISSING;
}
