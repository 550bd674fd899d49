import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // What takes longer, or needs a server, is in *.full.test.ts: `npm run test:full`.
    exclude: ["test/**/*.full.test.ts", "node_modules/**"],
    // They end what hangs. A machine that is busy with other things may take long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: "forks",
    // The default leaves one core idle, which is half of a small machine.
    maxWorkers: "100%",
  },
});
