import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseBulk } from "../../../src/engine/rest/bulk-body.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const parse = (text: string, index = "books") => parseBulk(bytes(text), { index });
const text = (source: Uint8Array | undefined) => new TextDecoder().decode(source);

describe("bulk bodies", () => {
  it("pair actions with their documents, byte for byte", () => {
    const [one, two, three] = parse(
      '{"index":{"_id":"1"}}\n{ "a" :\t1.0}\n{"delete":{"_id":"2"}}\n{"create":{}}\n{}\n',
    );
    expect([one.action, one.id, text(one.source)]).toEqual(["index", "1", '{ "a" :\t1.0}']);
    expect([two.action, two.id, two.source]).toEqual(["delete", "2", undefined]);
    expect([three.action, three.id]).toEqual(["create", undefined]);
  });

  it("take line ends with carriage returns and skip empty lines between actions", () => {
    expect(parse('\n\r\n{"index":{}}\r\n{"a":1}\r\n').map(({ source }) => text(source))).toEqual(['{"a":1}']);
  });

  it("leave out an action without its document", () => expect(parse('{"index":{}}\n')).toEqual([]));

  it.each([
    ['{"index":{}}\n{"a":1}', "The bulk request must be terminated by a newline [\\n]"],
    ["[]\n{}\n", "Malformed action/metadata line [1], expected START_OBJECT but found [START_ARRAY]"],
    ["{}\n{}\n", "Malformed action/metadata line [1], expected FIELD_NAME but found [END_OBJECT]"],
    [
      '{"index":5}\n{}\n',
      "Malformed action/metadata line [1], expected START_OBJECT or END_OBJECT but found [VALUE_NUMBER]",
    ],
    [
      '{"index":{}}\n{}\n{"put":{}}\n{}\n',
      "Malformed action/metadata line [3], expected field [create], [delete], [index] or [update] but found [put]",
    ],
    [
      '{"index":{"_id":{}}}\n{}\n',
      "Malformed action/metadata line [1], expected a simple value for field [_id] but found [START_OBJECT]",
    ],
    ['{"index":{"_type":"x"}}\n{}\n', "Action/metadata line [1] contains an unknown parameter [_type]"],
  ])("refuse %j", (body, reason) => expect(() => parse(body)).toThrow(reason));

  it("list every action without an index", () => {
    expect(() => parseBulk(bytes('{"index":{}}\n{}\n{"delete":{"_id":"1"}}\n'), {})).toThrow(
      "Validation Failed: 1: index is missing;2: index is missing;",
    );
  });

  it("read ids that are numbers as text, null as none, op_type as the action", () => {
    const [one, two, three] = parse(
      '{"index":{"_id":5}}\n{}\n{"index":{"_id":null}}\n{}\n{"index":{"op_type":"create"}}\n{}\n',
    );
    expect([one.id, two.id, three.action]).toEqual(["5", undefined, "create"]);
  });

  it("keep any document's text", () => {
    fc.assert(
      fc.property(fc.array(fc.json({ stringUnit: "binary" }), { maxLength: 5 }), (documents) => {
        const body = documents.map((document) => `{"index":{}}\n${document}\n`).join("");
        expect(parse(body).map(({ source }) => text(source))).toEqual(documents);
      }),
    );
  });
});
