import { execFile } from "node:child_process";
import { unavailable } from "../../core/errors.ts";

/** The version in Debian 12, and the first with `merge-tree --write-tree` and the other features used here. */
const oldestMinor = 39;

/**
 * The first release of each line, by minor number, with fixes for all known ways in which a pushed repository can attack a server or its
 * cloners (CVE-2025-48384, -48385).
 */
const fixedIn: ReadonlyMap<number, number> = new Map([
  [43, 7],
  [44, 4],
  [45, 4],
  [46, 4],
  [47, 3],
  [48, 2],
  [49, 1],
  [50, 1],
]);

/**
 * Warning for the operator about a git version.
 * @returns undefined for a version with all known fixes
 */
export function gitWarning(version: string): string | undefined {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  const isFixed = major > 2 || minor > 50 || patch >= (fixedIn.get(minor) ?? Number.POSITIVE_INFINITY);
  return isFixed
    ? undefined
    : `git ${version} has known vulnerabilities (CVE-2025-48384, CVE-2025-48385) unless your distribution has patched them: upgrade to 2.50.1, or to the latest release of your version line`;
}

/**
 * Returns the version of git, `2.39.5`.
 * @throws ForgeError `unavailable` with a message for the operator if git is missing or older than 2.39
 */
export async function checkGitVersion(searchPath: string, program = "git"): Promise<string> {
  const text = await new Promise<string>((resolve, reject) => {
    execFile(program, ["version"], { env: { PATH: searchPath, LC_ALL: "C" }, timeout: 10_000 }, (error, stdout) => {
      if (error) reject(unavailable(`git 2.${oldestMinor} or later is required, but \`${program}\` cannot be run`, { cause: error }));
      else resolve(stdout.trim());
    });
  });
  const match = /^git version ((\d+)\.(\d+)[^\s]*)/.exec(text);
  if (match === null) throw unavailable(`git 2.${oldestMinor} or later is required, but \`${program} version\` prints "${text.slice(0, 100)}"`);
  const [, version = "", major = "", minor = ""] = match;
  if (Number(major) < 2 || (Number(major) === 2 && Number(minor) < oldestMinor)) {
    throw unavailable(`git 2.${oldestMinor} or later is required, but \`${program}\` is ${version}`);
  }
  return version;
}
