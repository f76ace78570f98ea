import { spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeBillOfMaterials } from "./bill-of-materials.mjs";
import { ensureBrowser } from "./browser.mjs";
import { bundlePath, ensureBuilt } from "./build.mjs";
import { chooseRuntime, ensureInstalled, Refusal, root } from "./install.mjs";
import { serverFlags } from "./server-flags.mjs";
import { ensureToolkit } from "./toolkit.mjs";

// The entry point of all package.json commands: installs missing packages, finds a Node.js that runs TypeScript, and runs the command with
// it.

const bin = (/** @type {string} */ name) => join(root, "node_modules", name);
const vitest = bin("vitest/vitest.mjs");
/** Lets Node.js run views, which are TSX. */
const tsx = ["--import", pathToFileURL(join(root, "tools/tsx.mjs")).href];
const biome = bin("@biomejs/biome/bin/biome");

/**
 * Each takes the arguments after its name and returns the arguments for the chosen Node.js, if anything is left to run. @type
 * {Record<string, (args: readonly string[]) => readonly string[] | undefined | Promise<readonly string[] | undefined>>}
 */
const commands = {
  start: async (args) => {
    await ensureBuilt();
    return [...serverFlags, bundlePath, ...(args.length === 0 ? ["serve"] : args)];
  },
  dev: (args) => ["--watch", ...tsx, join(root, "src/main.ts"), ...(args.length === 0 ? ["serve"] : args)],
  install: () => undefined,
  build: async () => {
    process.stdout.write((await ensureBuilt()) ? "built dist/hearth.js\n" : "dist/hearth.js is up to date\n");
    process.stdout.write(`dist/sbom.cdx.json and dist/licenses.txt list ${await writeBillOfMaterials()} packages\n`);
    return undefined;
  },
  test: async (args) => {
    await ensureBrowser();
    await ensureToolkit();
    return [vitest, "run", ...args];
  },
  gallery: async () => {
    await ensureBrowser();
    process.env.HEARTH_GALLERY = "true";
    return [vitest, "run", "test/browser/gallery.ts"];
  },
  typecheck: (args) => [bin("typescript/bin/tsc"), "-p", root, ...args],
  "typecheck-scripts": (args) => [bin("typescript/bin/tsc"), "-p", join(root, "src/ui/scripts"), ...args],
  lint: (args) => [biome, "check", "--error-on-warnings", ...args],
  format: (args) => [biome, "check", "--write", ...args],
  check: (args) => [join(root, "tools/check.ts"), ...args],
  generate: () => [...tsx, join(root, "tools/generate/main.ts")],
  ci: (args) => [join(root, "tools/ci.ts"), ...args],
  fuzz: (args) => [...tsx, join(root, "test/fuzz/main.ts"), ...args],
  schemathesis: async (args) => {
    await ensureBuilt();
    return [...tsx, join(root, "test/schemathesis/main.ts"), ...args];
  },
  torture: async (args) => {
    await ensureBuilt();
    return [...tsx, join(root, "test/torture/main.ts"), ...args];
  },
  "compare-import": async (args) => {
    await ensureBuilt();
    return [...tsx, join(root, "test/compare-import/main.ts"), ...args];
  },
  conformance: async (args) => {
    await ensureBuilt();
    return [join(root, "tools/conformance.ts"), ...args];
  },
  bench: async (args) => {
    await ensureBuilt();
    const [name = ""] = args;
    if (/^[a-z]/.test(name)) return [...tsx, benchmarkPath(name), ...args.slice(1)];
    return args.includes("--scale") ? [...tsx, join(root, "bench/scale/main.ts"), ...args] : [join(root, "bench/main.ts"), ...args];
  },
};

/** Commands in `bench/` other than the main one. */
const benchmarks =
  "actions backup blocking crawlers fairness freshness gitea-import herds issue-lists log-shipping longest-turn merges nodes parsers power-cut secrets spawn upgrade webhook-pushes webhooks".split(
    " ",
  );

/** @param {string} name */
function benchmarkPath(name) {
  if (!benchmarks.includes(name)) throw new Refusal(`no benchmark is called ${name}; there are ${benchmarks.join(", ")}`);
  return join(root, "bench", `${name}.ts`);
}

/** @param {readonly string[]} argv */
async function main([name = "", ...args]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    throw new Refusal(`usage: node tools/run.mjs ${Object.keys(commands).join("|")} [arguments]`);
  }
  await ensureInstalled();
  const runtime = chooseRuntime();
  const run = await command(args);
  return run === undefined ? 0 : await handOver(runtime, run);
}

/**
 * Runs the command on this terminal and waits until it has ended, so that callers can wait for this process.
 * @param {string} runtime
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
function handOver(runtime, args) {
  const isOnTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  const path = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);
  return new Promise((resolve, reject) => {
    const child = spawn(runtime, args, { cwd: root, stdio: "inherit", env: { ...process.env, PATH: path } });
    for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
      process.on(signal, () => {
        // A terminal sends Ctrl-C to the whole process group, the child included; forwarding it would be a second signal and skip the orderly
        // stop.
        if (signal === "SIGINT" && isOnTerminal) return;
        child.kill(signal);
      });
    }
    child.once("error", (error) => reject(new Refusal(`${runtime} cannot be started: ${error.message}`)));
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`hearth: ${error.message}\n`);
  process.exitCode = 1;
}
