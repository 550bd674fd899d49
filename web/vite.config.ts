/** The playground's build: plain files with relative addresses, nothing inline, so that the strictest policy holds. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** `huiliu serve`, while the playground is worked on with `npm run dev:web`. */
const SERVER = "http://127.0.0.1:9200";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: fileURLToPath(new URL("../dist/ui", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { "^/(?!_ui|src|@|node_modules|index\\.html|$)": { target: SERVER, changeOrigin: true } } },
});
