/** Content types: which bodies are read, and in which form answers are written. */
import { EngineError, unsupported } from "../errors.ts";

const COMPATIBLE = /^application\/vnd\.elasticsearch\+(json|x-ndjson|cbor|smile|yaml)$/;

const PLAIN = "application/json";

interface MediaType {
  readonly type: string;
  /** With its parameters, as answers name it. */
  readonly whole: string;
  /** Version that `compatible-with` asks for. */
  readonly version: number | undefined;
}

const PLAIN_JSON: MediaType = { type: PLAIN, whole: PLAIN, version: undefined };

/** @returns undefined for a list or a range of types, which Elasticsearch reads as "anything" */
function parse(value: string, header: string): MediaType | undefined {
  if (value === PLAIN) return PLAIN_JSON;
  if (value.includes(",") || value.trim() === "*/*") return undefined;
  const [type, ...parameters] = value
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+\/[a-z0-9!#$%&'*+.^_`|~-]+$/.test(type)) {
    throw new EngineError("media_type_header_exception", `Invalid media-type value on headers [${header}]`, {
      cause: new EngineError("illegal_argument_exception", `invalid media-type [${value}]`),
    });
  }
  let version: number | undefined;
  for (const parameter of parameters) {
    const match = /^compatible-with\s*=\s*"?(\d+)"?$/.exec(parameter);
    if (match) version = Number(match[1]);
  }
  return { type, whole: [type, ...parameters].join(";"), version };
}

/** What headers say of a request's body and of the answer's form. */
export interface Media {
  /** `content-type` of a JSON answer. */
  readonly contentType: string;
  /** True when `Accept` asks for JSON by name (`_cat` answers in plain text otherwise). */
  readonly wantsJson: boolean;
}

/**
 * Versions that headers ask for (RestCompatibleVersionHelper): known ones, and of a request with a body the same in both headers.
 *
 * @throws media_type_header_exception
 */
function checkVersions(headers: Headers, accepted: MediaType | undefined, given: MediaType | undefined): void {
  const mismatch = (reason: string) =>
    new EngineError("media_type_header_exception", "Invalid media-type value on headers [Content-Type, Accept]", {
      cause: new EngineError("status_exception", reason),
    });
  const known = (header: "Accept" | "Content-Type", version = CURRENT) => {
    if (version === CURRENT || version === OLDEST) return;
    throw mismatch(
      `${header} version must be either version ${CURRENT} or ${OLDEST}, but found ${version}. ${header}=${headers[header]}`,
    );
  };
  known("Accept", accepted?.version);
  if (!headers.hasBody) return;
  known("Content-Type", given?.version);
  if (accepted?.version !== given?.version) {
    throw mismatch(
      "A compatible version is required on both Content-Type and Accept headers if either one has requested a compatible version " +
        "and the compatible versions must match. " +
        `Accept=${headers.Accept ?? null}, Content-Type=${headers["Content-Type"] ?? null}`,
    );
  }
}

interface Headers {
  readonly Accept: string | undefined;
  readonly "Content-Type": string | undefined;
  readonly hasBody: boolean;
}

const CURRENT = 8;
const OLDEST = 7;

/** Forms in which only Elasticsearch reads and writes. */
const BINARY_OR_YAML = /^(?:application\/)?(?:vnd\.elasticsearch\+)?(?:yaml|cbor|smile)$/;

/**
 * Checks the headers.
 *
 * @param hasBody a body needs a content type
 * @param format the parameter, which comes before `Accept`
 * @throws 406 for types that Elasticsearch does not read, `unsupported_feature_exception` for those that only Elasticsearch reads
 */
export function checkMedia(
  contentType: string | undefined,
  accept: string | undefined,
  hasBody: boolean,
  format?: string,
): Media {
  const accepted = accept === undefined ? undefined : parse(accept, "Accept");
  const given = contentType === undefined || contentType === "" ? undefined : parse(contentType, "Content-Type");
  checkVersions({ Accept: accept, "Content-Type": contentType, hasBody }, accepted, given);
  if (hasBody) {
    if (given === undefined) {
      throw new NotAcceptable(
        contentType ? `Content-Type header [${contentType}] is not supported` : "Content-Type header is missing",
      );
    }
    if (BINARY_OR_YAML.test(given.type)) throw unsupported(`Content-Type: ${given.type}`);
    const short = COMPATIBLE.exec(given.type)?.[1] ?? given.type.replace(/^application\//, "");
    if (!/^(json|x-ndjson)$/.test(short))
      throw new NotAcceptable(`Content-Type header [${contentType}] is not supported`);
  }
  if ((accepted?.version ?? given?.version) === OLDEST) throw unsupported(`compatible-with=${OLDEST}`);
  const type = accepted?.type;
  if (format !== undefined && BINARY_OR_YAML.test(format.toLowerCase())) throw unsupported(`format=${format}`);
  if (format === undefined && type !== undefined && BINARY_OR_YAML.test(type)) throw unsupported(`Accept: ${type}`);
  const isJson = type === "application/json" || (type !== undefined && COMPATIBLE.test(type));
  return {
    contentType:
      isJson && accepted && /json$/.test(accepted.type) && !/ndjson$/.test(accepted.type) ? accepted.whole : PLAIN,
    wantsJson: isJson,
  };
}

/** Answered with a plain text under `error`, as Elasticsearch answers before it looks at the request. */
export class NotAcceptable extends Error {}
