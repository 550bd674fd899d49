import { describe, expect, it } from "vitest";
import { createRouter } from "../../../src/engine/rest/router.ts";

function routes(...list: [string, string][]) {
  const router = createRouter<string>();
  for (const [method, path] of list) router.add(method, path, `${method} ${path}`);
  return (method: string, path: string) => router.find(method, path);
}

describe("routing", () => {
  const find = routes(
    ["GET", "/_search"],
    ["GET", "/{index}"],
    ["PUT", "/{index}"],
    ["GET", "/{index}/_doc/{id}"],
    ["POST", "/{index}/{type}"],
  );

  it("prefers the literal segment", () => {
    expect(find("GET", "/_search").match?.target).toBe("GET /_search");
    expect(find("GET", "/books").match?.values).toEqual(new Map([["index", "books"]]));
  });

  it("does not try the variable where the literal path has other methods", () => {
    expect(find("PUT", "/_search")).toEqual({ match: undefined, allowed: ["GET"] });
  });

  it("tries the variable where no path goes on from the literal", () => {
    expect(find("GET", "/_search/_doc/1").match?.values).toEqual(
      new Map([
        ["index", "_search"],
        ["id", "1"],
      ]),
    );
  });

  it("names the methods of a path", () => {
    expect(find("DELETE", "/books")).toEqual({ match: undefined, allowed: ["GET", "PUT"] });
    expect(find("GET", "/a/b/c/d")).toEqual({ match: undefined, allowed: [] });
  });

  it("does not count slashes at the end, but empty segments in between", () => {
    expect(find("GET", "/books/").match?.target).toBe("GET /{index}");
    expect(find("GET", "//books").match).toBeUndefined();
  });

  it("leaves values encoded", () => {
    expect(find("GET", "/books/_doc/a%2Fb").match?.values.get("id")).toBe("a%2Fb");
  });
});
