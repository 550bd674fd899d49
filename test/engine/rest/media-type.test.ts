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

  it("names what it answers in as the client did", () => {
    const accepts = [
      "application/json; charset=utf-8",
      "application/vnd.elasticsearch+json",
      "text/html",
      "application/x-ndjson",
    ];
    expect(accepts.map((accept) => checkMedia(undefined, accept, false).contentType)).toEqual([
      "application/json;charset=utf-8",
      "application/vnd.elasticsearch+json",
      "application/json",
      "application/json",
    ]);
  });

  it("refuses to answer in forms that only Elasticsearch writes, whichever way they are asked for", () => {
    for (const form of ["yaml", "cbor", "smile"]) {
      expect(() => checkMedia(undefined, undefined, false, form)).toThrow(`[format=${form}] is not supported`);
      expect(() => checkMedia(undefined, `application/${form}`, false)).toThrow("is not supported");
      expect(() => checkMedia(undefined, `application/vnd.elasticsearch+${form};compatible-with=8`, false)).toThrow(
        "is not supported",
      );
      // The parameter comes first.
      expect(checkMedia(undefined, `application/${form}`, false, "json").contentType).toBe("application/json");
    }
    expect(checkMedia(undefined, undefined, false, "foo").contentType).toBe("application/json");
  });

  it("refuses versions that do not fit together", () => {
    const cause = (...headers: Parameters<typeof checkMedia>): string => {
      try {
        checkMedia(...headers);
      } catch (error) {
        expect(error).toMatchObject({ message: "Invalid media-type value on headers [Content-Type, Accept]" });
        return String((error as Error).cause);
      }
      return "";
    };
    expect(cause("application/json", VENDOR, true)).toContain("A compatible version is required on both");
    expect(cause(VENDOR, "application/json", true)).toContain("A compatible version is required on both");
    expect(cause(VENDOR, undefined, true)).toContain(`Accept=null, Content-Type=${VENDOR}`);
    expect(cause(VENDOR, undefined, false)).toBe("");
    expect(cause(undefined, "application/vnd.elasticsearch+json; compatible-with=9", false)).toContain("but found 9");
    expect(() => checkMedia(undefined, "nonsense", false)).toThrow("Invalid media-type value on headers [Accept]");
  });

  it("knows when JSON was asked for by name", () => {
    expect(checkMedia(undefined, "application/json", false).wantsJson).toBe(true);
    expect(checkMedia(undefined, "text/plain, application/json", false).wantsJson).toBe(false);
  });
});
