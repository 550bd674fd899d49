/** Content types: which bodies are read, and in which form answers are written. */
import { EngineError, unsupported } from "../errors.ts";

const COMPATIBLE = /^application\/vnd\.elasticsearch\+(json|x-ndjson|cbor|smile|yaml)$/;

interface MediaType {
  readonly type: string;
  /** Version that `compatible-with` asks for. */
  readonly version: number | undefined;
}

/** @returns undefined for a list or a range of types, which Elasticsearch reads as "anything" */
function parse(value: string, header: string): MediaType | undefined {
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
  return { type, version };
}

/** What headers say of a request's body and of the answer's form. */
export interface Media {
  /** `content-type` of a JSON answer. */
  readonly contentType: string;
  /** True when `Accept` asks for JSON by name (`_cat` answers in plain text otherwise). */
  readonly wantsJson: boolean;
}

/**
 * Checks the headers.
 *
 * @param hasBody a body needs a content type
 * @throws 406 for types that Elasticsearch does not read, `unsupported_feature_exception` for those that only Elasticsearch reads
 */
export function checkMedia(contentType: string | undefined, accept: string | undefined, hasBody: boolean): Media {
  const accepted = accept === undefined ? undefined : parse(accept, "Accept");
  const given = contentType === undefined || contentType === "" ? undefined : parse(contentType, "Content-Type");
  if (hasBody) {
    if (given === undefined) throw new NotAcceptable("Content-Type header is missing");
    const short = COMPATIBLE.exec(given.type)?.[1] ?? given.type.replace(/^application\//, "");
    if (/^(yaml|cbor|smile)$/.test(short)) throw unsupported(`Content-Type: ${given.type}`);
    if (!/^(json|x-ndjson)$/.test(short))
      throw new NotAcceptable(`Content-Type header [${contentType}] is not supported`);
  }
  const type = accepted?.type;
  if (type !== undefined && /(?:\/|\+)(yaml|cbor|smile)$/.test(type)) throw unsupported(`Accept: ${type}`);
  for (const [header, media] of [
    ["Accept", accepted] as const,
    ["Content-Type", hasBody ? given : undefined] as const,
  ]) {
    if (media?.version !== undefined && media.version !== 8 && media.version !== 7) {
      throw new EngineError(
        "media_type_header_exception",
        `${header} version must be either version 8 or 7, but found ${media.version}. ${header}=${header === "Accept" ? accept : contentType}`,
      );
    }
  }
  const version = accepted?.version ?? given?.version;
  if (version === 7) throw unsupported("compatible-with=7");
  if (
    hasBody &&
    accepted !== undefined &&
    (accepted.version ?? 0) !== (given?.version ?? 0) &&
    type?.startsWith("application/vnd")
  ) {
    throw new EngineError(
      "media_type_header_exception",
      `A compatible version is required on both Content-Type and Accept headers if either one has requested a compatible version and the compatible versions must match. Accept=${accept}, Content-Type=${contentType}`,
    );
  }
  return {
    contentType: accepted?.version === 8 ? "application/vnd.elasticsearch+json;compatible-with=8" : "application/json",
    wantsJson: type === "application/json" || (type !== undefined && COMPATIBLE.test(type)),
  };
}

/** Answered with a plain text under `error`, as Elasticsearch answers before it looks at the request. */
export class NotAcceptable extends Error {}
