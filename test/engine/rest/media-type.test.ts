import { describe, expect, it } from "vitest";
import { checkMedia } from "../../../src/engine/rest/media-type.ts";

const VENDOR = "application/vnd.elasticsearch+json; compatible-with=8";

describe("content types", () => {
  it("reads JSON and lines of JSON, in the client's spelling too", () => {
    for (const type of ["application/json", "application/json; charset=utf-8", "application/x-ndjson", VENDOR]) {
      expect(checkMedia(type, type === VENDOR ? VENDOR : undefined, true).contentType).toMatch(/json/);
    }
  });

  it("answers in the client's spelling", () => {
    expect(checkMedia(VENDOR, VENDOR, true).contentType).toBe("application/vnd.elasticsearch+json;compatible-with=8");
    expect(checkMedia(undefined, "*/*", false).contentType).toBe("application/json");
  });

  it("refuses a body without a type or of another type", () => {
    expect(() => checkMedia(undefined, undefined, true)).toThrow("Content-Type header is missing");
    expect(() => checkMedia("text/plain", undefined, true)).toThrow(
      "Content-Type header [text/plain] is not supported",
    );
    expect(() => checkMedia("application/cbor", undefined, true)).toThrow(
      "[Content-Type: application/cbor] is not supported",
    );
    expect(checkMedia("text/plain", undefined, false).contentType).toBe("application/json");
  });

  it("refuses versions that do not fit together", () => {
    expect(() => checkMedia("application/json", VENDOR, true)).toThrow("A compatible version is required on both");
    expect(() => checkMedia(undefined, "application/vnd.elasticsearch+json; compatible-with=9", false)).toThrow(
      "but found 9",
    );
    expect(() => checkMedia(undefined, "nonsense", false)).toThrow("Invalid media-type value on headers [Accept]");
  });

  it("knows when JSON was asked for by name", () => {
    expect(checkMedia(undefined, "application/json", false).wantsJson).toBe(true);
    expect(checkMedia(undefined, "text/plain, application/json", false).wantsJson).toBe(false);
  });
});
