import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

/** https://helm.sh, which renders charts. */

const version = "v3.18.6";
/** Outside of the checkout and of the run, so that later runs find it. */
const folder = join(userInfo().homedir, ".cache", "hearth", "helm");
const program = join(folder, version);
const buildMs = 900_000;

const goCommand = ["/usr/local/go/bin", ...(process.env.PATH ?? "").split(delimiter)].map((path) => join(path, "go")).find((path) => existsSync(path));

/** Why the tests that need it are skipped; undefined if they are not. */
export const helmMissing: string | undefined = existsSync(program) || goCommand !== undefined ? undefined : "skipped: this machine has no go";

/** The program, built by the first run on a machine. Takes minutes then, and nothing later. */
async function ensureHelm(): Promise<string> {
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const target = mkdtempSync(join(folder, "tmp_"));
  try {
    const env = { ...process.env, HOME: userInfo().homedir, GOBIN: target, GOFLAGS: "-mod=mod" };
    await promisify(execFile)(goCommand ?? "go", ["install", `helm.sh/helm/v3/cmd/helm@${version}`], { env, timeout: buildMs });
    renameSync(join(target, "helm"), program);
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
  return program;
}

/** @returns its output @throws Error with its output, if it fails */
export async function helm(...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(await ensureHelm(), [...args])).stdout;
}
