import { spawn } from "node:child_process";
import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

// Plain JavaScript for Node.js 20: this runs before anything is installed.

export const root = fileURLToPath(new URL("..", import.meta.url));

/** The oldest Node.js that runs Hearth's sources. */
const wantedMajor = 24;

/** The oldest SQLite that src/db/open.ts accepts; early releases of Node.js 24 include an older one. */
const wantedSqlite = { major: 3, minor: 51 };

/** An error that the user can fix: printed as one line, without a stack. */
export class Refusal extends Error {}

/** Runs `npm ci` when node_modules is missing or has other versions than package-lock.json. */
export async function ensureInstalled() {
  await install(root, "packages (this happens once, and again when package-lock.json changes)");
}

/**
 * Installs packages that only tests need. They are not in the package of the program, so that users who only start it do not wait for them. If
 * that fails, prints a line, and the tests that need them are skipped.
 * @param {string} folder with a lock file
 * @param {string} noun
 * @returns {Promise<boolean>} whether they are installed
 */
export async function ensureForTests(folder, noun) {
  try {
    await install(folder, `${noun} for tests (this happens once)`);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`hearth: tests with ${noun} are skipped: ${error.message}\n`);
    return false;
  }
}

/**
 * Two commands can begin in a fresh clone at once, and npm would remove packages that the other one has just installed.
 * @param {string} folder with a lock file
 * @param {string} subject
 */
async function install(folder, subject) {
  if (isInstalled(folder)) return;
  const path = join(folder, ".installing");
  await acquireLock(path);
  try {
    if (isInstalled(folder)) return;
    process.stderr.write(`hearth: installing ${subject}\n`);
    await installPackages(folder);
  } finally {
    rmSync(path, { force: true });
  }
}

const pollMs = 100;
/** Longer than an installation takes. The process id of a killed command may belong to another program by then. */
const staleMs = 30 * 60_000;

/**
 * Creates a file with the id of this process, once no running process has it.
 * @param {string} path
 */
async function acquireLock(path) {
  for (let hasSaid = false; ; ) {
    if (createLock(path)) return;
    const owner = runningOwner(path);
    if (owner === undefined) {
      rmSync(path, { force: true });
      continue;
    }
    if (!hasSaid) process.stderr.write(`hearth: waiting for process ${owner}, which installs packages\n`);
    hasSaid = true;
    await sleep(pollMs);
  }
}

/**
 * Creates the file with its content in one step.
 * @param {string} path
 * @returns {boolean} whether it did not exist
 */
function createLock(path) {
  const own = `${path}-${process.pid}`;
  try {
    writeFileSync(own, String(process.pid));
    linkSync(own, path);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw new Refusal(`packages are missing, and ${path} cannot be created: ${String(error)}`, { cause: error });
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * @param {string} path
 * @returns the process in the file; undefined if it has ended
 */
function runningOwner(path) {
  let owner;
  try {
    owner = Number(readFileSync(path, "utf8"));
    if (Date.now() - statSync(path).mtimeMs > staleMs) return undefined;
    process.kill(owner, 0);
    return owner;
  } catch (error) {
    if (hasCode(error, "EPERM")) return owner;
    return undefined;
  }
}

/**
 * @param {unknown} error
 * @param {string} code
 */
const hasCode = (error, code) => error instanceof Error && "code" in error && error.code === code;

/** @param {string} folder with a lock file */
async function installPackages(folder) {
  const { code, output } = await runNpm(folder, [
    "ci",
    "--ignore-scripts",
    "--include=dev",
    "--include=optional",
    "--prefer-offline",
    "--no-progress",
    "--no-audit",
    "--no-fund",
  ]);
  if (code !== 0) throw new Refusal(describeNpmFailure(code, output));
}

/** npm writes `node_modules/.package-lock.json` last, so an interrupted install counts as missing. @param {string} folder */
export function isInstalled(folder) {
  const installed = readPackages(join(folder, "node_modules", ".package-lock.json"));
  const wanted = readPackages(join(folder, "package-lock.json"));
  if (installed === undefined) return false;
  if (wanted === undefined) throw new Refusal("package-lock.json is missing or unreadable; restore it from the repository");
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const found = installed[path];
    return found === undefined ? entry.optional === true : found.version === entry.version && found.integrity === entry.integrity;
  });
}

/**
 * @param {string} path of a lock file
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }> | undefined}
 */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} folder
 * @param {readonly string[]} args
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function runNpm(folder, args) {
  // Under `npm start`, uses the npm that was called; it may not be on the PATH.
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm?.endsWith(".js") ? [process.execPath, npm] : ["npm"];
  const env = { ...process.env, npm_config_fetch_retry_mintimeout: "1000", npm_config_fetch_retry_maxtimeout: "5000" };
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...args], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const collect = (/** @type {Buffer} */ chunk) => {
      output = (output + chunk).slice(-20_000);
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.once("error", (error) => reject(new Refusal(`npm could not be started (${error.message}); install npm, or add it to the PATH`)));
    child.once("close", (code) => resolve({ code, output }));
  });
}

/**
 * @param {number | null} code
 * @param {string} output
 */
function describeNpmFailure(code, output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/.test(output)) {
    return "packages are missing and the npm registry cannot be reached; connect this machine to the network once, then run the command again";
  }
  const reason = output
    .split("\n")
    .map((line) => line.replace(/^npm (error|ERR!)\s*/, "").trim())
    .find((line) => line !== "" && !/^(npm warn|code E)/i.test(line));
  return `npm ci failed with exit code ${code}: ${reason ?? "no output"}`;
}

function hasWantedSqlite() {
  const [major = 0, minor = 0] = (process.versions.sqlite ?? "0").split(".").map(Number);
  return major > wantedSqlite.major || (major === wantedSqlite.major && minor >= wantedSqlite.minor);
}

/** @returns the Node.js that runs Hearth: the current one if it is new enough, otherwise the pinned one of the optional dependency */
export function chooseRuntime() {
  if (Number(process.versions.node.split(".")[0]) >= wantedMajor && hasWantedSqlite()) return process.execPath;
  const pinned = join(root, "node_modules", `node-${process.platform}-${process.arch}`, "bin", "node");
  if (existsSync(pinned)) return pinned;
  throw new Refusal(
    `Hearth needs Node.js ${wantedMajor} or newer with SQLite ${wantedSqlite.major}.${wantedSqlite.minor} or newer; this is ${process.versions.node}, and no pinned one is available for ${process.platform}-${process.arch}; install a newer Node.js`,
  );
}
