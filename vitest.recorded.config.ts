import { defineConfig } from "vitest/config";

export default defineConfig({ test: { include: ["test/engine/search/recorded.test.ts"], testTimeout: 60_000 } });
