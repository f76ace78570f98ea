#!/usr/bin/env node
import * as module from "node:module";
import { fileURLToPath } from "node:url";

// dist/hearth.js: starts the bundled program in this folder. The compile cache is stored there too.

if (Number(process.versions.node.split(".")[0]) < 24) {
  process.stderr.write(`hearth: Node.js 24 or newer is needed; this is ${process.versions.node}. In a clone, npm start brings its own.\n`);
  process.exit(1);
}
// Portable: the folder may be copied into an image after the build.
module.enableCompileCache({ directory: fileURLToPath(new URL("./cache", import.meta.url)), portable: true });
// Node.js writes the cache when the process exits; a killed process would not write it.
setTimeout(module.flushCompileCache, 5_000).unref();
await import(new URL("./program.js", import.meta.url).href);
