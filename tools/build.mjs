import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { chooseRuntime, Refusal, root } from "./install.mjs";
import { serverFlags } from "./server-flags.mjs";

const outDir = join(root, "dist");
/** Inputs and outputs of the last build. */
const recordPath = join(outDir, "build.json");

/** @typedef {Record<string, string>} Marks by path from the root */
/** @typedef {{ recipe: string, inputs: Marks, outputs: Marks }} BuildRecord */

/** The program that `npm start` and the published package run. */
export const bundlePath = join(outDir, "hearth.js");

/** Retention of chunks that no build needs any more. */
const keptMs = 3_600_000;

const launcher = "tools/launcher.mjs";

/** The compiled code of dist/hearth.js, also for the launcher. */
const cacheDir = join(outDir, "cache");

/** Imported when the server starts, with everything that it needs. */
const serverModule = "src/app/serve.ts";

/** Each becomes one minified file: the script of all pages, and the one of the document in which diagrams are drawn. */
const browserScripts = ["src/ui/scripts/main.js", "src/ui/scripts/diagram-frame.js"];

/** The code editor of the pages that change files. */
const codeEditor = "src/ui/editor/editor.js";

/** The library for diagrams, a single file that only browsers read. */
const diagramLibrary = "node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js";

/** Imports the style sheets of all pages, which become dist/style.css. */
const styleSheet = "src/ui/style/main.css";

/** Native add-ons, and optional dependencies of `pg` and `ssh2`. */
const external = ["esbuild", "@node-rs/argon2", "@node-rs/bcrypt", "pg-native", "cpu-features"];

/** Bundled CommonJS packages still use these three. */
const banner = `import { createRequire as __createRequire } from "node:module";
import { fileURLToPath as __fileURLToPath } from "node:url";
const require = __createRequire(import.meta.url);
const __filename = __fileURLToPath(import.meta.url);
const __dirname = __fileURLToPath(new URL(".", import.meta.url));`;

/**
 * When an ES module imports `http`, Node.js reads each of its exports, and one of them loads all of `fetch`: a tenth of the start-up time,
 * and memory that is not released. `process.getBuiltinModule` avoids this.
 * @type {import("esbuild").Plugin}
 */
const plainHttp = {
  name: "plain-http",
  setup(build) {
    build.onResolve({ filter: /^(node:)?http$/ }, () => ({ path: "http", namespace: "built-in" }));
    build.onLoad({ filter: /^/, namespace: "built-in" }, ({ path }) => ({ contents: `module.exports = process.getBuiltinModule("node:${path}");` }));
  },
};

/** Builds dist/hearth.js unless it is newer than its inputs. @returns whether it was built */
export async function ensureBuilt() {
  const last = await readRecord();
  if (last !== undefined && (await isCurrent(last))) return false;
  await build(last);
  return true;
}

/** @returns {Promise<BuildRecord | undefined>} */
async function readRecord() {
  try {
    return JSON.parse(await readFile(recordPath, "utf8"));
  } catch {
    return undefined;
  }
}

/** @param {BuildRecord} record */
async function isCurrent(record) {
  if (record.recipe !== (await recipe())) return false;
  const marks = await Promise.all(
    [...Object.entries(record.inputs), ...Object.entries(record.outputs)].map(async ([path, mark]) => (await markOf(path)) === mark),
  );
  return marks.every(Boolean);
}

/** Packages and this script are compared by content; sources by size and time, because reading them takes a few milliseconds at each start. */
async function recipe() {
  const hash = createHash("sha256");
  for (const name of ["package-lock.json", "tools/build.mjs", launcher]) hash.update(await readFile(join(root, name)));
  return hash.digest("hex");
}

/** @param {string} path */
async function markOf(path) {
  try {
    const { size, mtimeMs } = await stat(join(root, path));
    return `${size}:${mtimeMs}`;
  } catch {
    return "missing";
  }
}

/**
 * @param {readonly string[]} paths
 * @returns {Promise<Marks>}
 */
async function marksOf(paths) {
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await markOf(path)])));
}

/** @param {BuildRecord | undefined} last */
async function build(last) {
  const { build: bundle, stop } = await import("esbuild");
  const startedMs = Date.now();
  const program = bundle({
    absWorkingDir: root,
    entryPoints: { program: "src/main.ts", "git-spawner": "src/git/run/spawner-process.ts", ...(await workers()) },
    outdir: outDir,
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    platform: "node",
    format: "esm",
    target: "node24",
    external,
    banner: { js: banner },
    plugins: [plainHttp],
    // For a debugger. Loading source maps at each start costs more than the start itself (--enable-source-maps: 50 MB, 150 ms).
    sourcemap: true,
    sourcesContent: false,
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  const styles = bundle({
    absWorkingDir: root,
    entryPoints: { style: styleSheet },
    outdir: outDir,
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  const scripts = bundle({
    absWorkingDir: root,
    entryPoints: browserScripts,
    outdir: join(outDir, "scripts"),
    bundle: true,
    minify: true,
    format: "iife",
    // Its function `start` takes the texts of a language (ui/script.ts).
    globalName: "hearth",
    target: "es2022",
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  // One module for the editor, and one for each language, which browsers load when they need it.
  const editor = bundle({
    absWorkingDir: root,
    entryPoints: [codeEditor],
    outdir: join(outDir, "editor"),
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  const built = await Promise.all([program, styles, scripts, editor])
    .catch((error) => {
      // esbuild has already printed the errors.
      throw error.errors === undefined ? error : new Refusal("the sources could not be bundled");
    })
    // The esbuild process would otherwise keep running with the server.
    .finally(stop);
  const outputFiles = built.flatMap((result) => result.outputFiles);
  const programOutputs = built[0].metafile.outputs;
  const sources = built.flatMap(({ metafile }) => Object.keys(metafile.inputs)).filter((path) => !path.includes("node_modules/"));
  const inputs = await marksOf(sources);
  // A file written during the build may have been read before the change: the next start builds again.
  for (const [path, mark] of Object.entries(inputs)) if (Number(mark.split(":")[1]) >= startedMs) inputs[path] = "changing";

  // Chunk names contain their digest, so a running server keeps its own chunks. The entry points are written last, each atomically.
  for (const folder of ["chunks", "scripts", "editor"]) await mkdir(join(outDir, folder), { recursive: true });
  const isEntry = (/** @type {{ path: string }} */ file) => dirname(file.path) === outDir;
  for (const file of outputFiles.filter((file) => !isEntry(file))) await replace(file);
  for (const file of outputFiles.filter(isEntry)) await replace(file);
  await replace({ path: bundlePath, contents: await readFile(join(root, launcher)) });

  const libraryPath = join(outDir, "diagrams", "mermaid.js");
  await mkdir(dirname(libraryPath), { recursive: true });
  await replace({ path: libraryPath, contents: await readFile(join(root, diagramLibrary)) });

  const written = [bundlePath, libraryPath, ...outputFiles.map((file) => file.path)].map((path) => relative(root, path));
  await prune(new Set([...written, ...Object.keys(last?.outputs ?? {})].map((path) => basename(path))));
  // Cached compiled code of chunks that no longer exist.
  await rm(cacheDir, { recursive: true, force: true });
  await compileInAdvance(programOutputs);
  const record = { recipe: await recipe(), inputs, outputs: await marksOf(written) };
  await replace({ path: recordPath, contents: JSON.stringify(record) });
}

/**
 * Fills the compile cache with the modules of the server: the first start would otherwise take half as long again, and every start if the
 * folder cannot be written.
 * @param {Readonly<Record<string, { readonly entryPoint?: string | undefined }>>} outputs
 */
async function compileInAdvance(outputs) {
  const [server] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === serverModule) ?? [];
  if (server === undefined) throw new Error(`no chunk of the bundle has ${serverModule}`);
  const script = `
    import module from "node:module";
    module.enableCompileCache({ directory: ${JSON.stringify(cacheDir)}, portable: true });
    await import(${JSON.stringify(pathToFileURL(join(root, server)).href)});
    // Open handles of libraries do not matter here.
    process.exit();`;
  // Flags of V8 are part of the key. Other commands, and servers that are started by `hearth serve`, run without them.
  for (const flags of [[], serverFlags]) await promisify(execFile)(chooseRuntime(), [...flags, "--input-type=module", "--eval", script], { cwd: root });
}

/** The worker threads of features: `src/features/site/markup/worker.ts` becomes dist/markup-worker.js. */
async function workers() {
  const features = join(root, "src/features");
  const files = (await readdir(features, { recursive: true })).filter((path) => basename(path) === "worker.ts");
  return Object.fromEntries(files.map((path) => [`${basename(dirname(path))}-worker`, join(features, path)]));
}

/** @param {{ path: string, contents: string | Uint8Array }} file */
async function replace({ path, contents }) {
  const fresh = join(dirname(path), `.${basename(path)}.${process.pid}`);
  await writeFile(fresh, contents);
  await rename(fresh, path);
}

/**
 * Removes scripts that are not part of this build or the previous one. Chunks are also kept while they are recent: a running server loads
 * some of its chunks lazily.
 * @param {ReadonlySet<string>} kept
 */
async function prune(kept) {
  const scripts = join(outDir, "scripts");
  for (const name of await readdir(scripts)) if (!kept.has(name)) await rm(join(scripts, name), { force: true });
  for (const folder of ["chunks", "editor"].map((name) => join(outDir, name))) {
    for (const name of await readdir(folder)) {
      if (kept.has(name)) continue;
      const path = join(folder, name);
      // Another build may run at the same time.
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
      if (mtimeMs < Date.now() - keptMs) await rm(path, { force: true });
    }
  }
}
