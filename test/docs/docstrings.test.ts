// What the package exports says what it is: the API reference is made of it, and editors show it.
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root } from "../built.ts";

/** Each entry of package.json's `exports` by its source, as tsdown.config.ts names them. */
const ENTRIES = {
  huiliu: "src/index.ts",
  "huiliu/engine": "src/elasticsearch/engine.ts",
  "huiliu/testing": "src/testing.ts",
  "huiliu/ai-sdk": "src/tools/index.ts",
  "huiliu/langchain": "src/langchain/index.ts",
  "huiliu/mcp": "src/mcp/index.ts",
};

test("everything that is exported has a docstring", () => {
  const files = Object.values(ENTRIES).map((file) => join(root, file));
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    strict: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const bare = Object.entries(ENTRIES).flatMap(([entry, file]) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(root, file))!)!;
    return checker.getExportsOfModule(module).flatMap((symbol) => {
      const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const text = ts.displayPartsToString(meant.getDocumentationComment(checker)).trim();
      return text === "" ? [`${entry}: ${symbol.name}`] : [];
    });
  });
  expect(bare).toEqual([]);
});
