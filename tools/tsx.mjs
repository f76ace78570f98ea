import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

// Node.js strips types but does not compile JSX. Commands that run sources load the views through this hook.

// A worker thread compiles; otherwise esbuild starts a process for each file.
process.env.ESBUILD_WORKER_THREADS = "1";
const { transformSync } = await import("esbuild");

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith(".tsx")) return nextLoad(url, context);
    const path = fileURLToPath(url);
    const { code } = transformSync(readFileSync(path, "utf8"), {
      loader: "tsx",
      jsx: "automatic",
      jsxImportSource: "preact",
      sourcefile: path,
      sourcemap: "inline",
      target: "node24",
    });
    return { format: "module", source: code, shortCircuit: true };
  },
});
