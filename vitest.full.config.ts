import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.full.test.ts"],
    testTimeout: 900_000,
    // Some install programs from a package registry first.
    hookTimeout: 900_000,
    pool: "forks",
    fileParallelism: false,
  },
});
