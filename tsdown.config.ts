import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    engine: "src/elasticsearch/engine.ts",
    testing: "src/testing.ts",
    "ai-sdk": "src/tools/index.ts",
    langchain: "src/langchain/index.ts",
    mcp: "src/mcp/index.ts",
    cli: "src/cli/main.ts",
    "search-worker": "src/server/workers/worker.ts",
  },
  format: "esm",
  platform: "node",
  // package.json names .js and .d.ts; the package is ESM as a whole.
  fixedExtension: false,
  target: "node20",
  dts: true,
  sourcemap: false,
  clean: true,
});
