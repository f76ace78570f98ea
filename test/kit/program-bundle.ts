import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, stop } from "esbuild";

const bundles = new Map<string, Promise<string>>();

/** Bundles a program of `test/kit/programs`, because Node.js takes half a second to load its sources. @returns its path, until the end of the run */
export function bundleProgram(name: string): Promise<string> {
  const known = bundles.get(name) ?? bundle(name);
  bundles.set(name, known);
  return known;
}

async function bundle(name: string): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), "hearth-program-")), `${name}.mjs`);
  const banner = `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`;
  await build({
    entryPoints: [join(import.meta.dirname, "programs", `${name}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    external: ["pg-native"],
    banner: { js: banner },
    logLevel: "warning",
  });
  // The process of esbuild would keep running.
  await stop();
  return outfile;
}
