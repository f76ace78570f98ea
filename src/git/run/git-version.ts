import { execFile } from "node:child_process";
import { unavailable } from "../../core/errors.ts";

/** Debian 12 has it; the first with `merge-tree --write-tree` and everything else that is used here. */
const oldestMinor = 39;

/** The first release of each line, by its minor number, in which nothing known is left that a pushed repository can do to a server or to who clones it (CVE-2025-48384, -48385). */
const mended: ReadonlyMap<number, number> = new Map([
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
 * What an operator is to be told of a version.
 * @returns undefined for one that has all mends that are known of
 */
export function gitWarning(version: string): string | undefined {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  const isMended = major > 2 || minor > 50 || patch >= (mended.get(minor) ?? Number.POSITIVE_INFINITY);
  return isMended
    ? undefined
    : `git ${version} has known holes (CVE-2025-48384, CVE-2025-48385) unless its distributor has mended them: take 2.50.1, or the latest release of its line`;
}

/**
 * The version of git, `2.39.5`.
 * @throws ForgeError `unavailable` with a sentence for the operator when there is none, or an older one than 2.39
 */
export async function checkGitVersion(searchPath: string, program = "git"): Promise<string> {
  const text = await new Promise<string>((resolve, reject) => {
    execFile(program, ["version"], { env: { PATH: searchPath, LC_ALL: "C" }, timeout: 10_000 }, (error, stdout) => {
      if (error) reject(unavailable(`git 2.${oldestMinor} or later is needed, and \`${program}\` cannot be run`, { cause: error }));
      else resolve(stdout.trim());
    });
  });
  const match = /^git version ((\d+)\.(\d+)[^\s]*)/.exec(text);
  if (match === null) throw unavailable(`git 2.${oldestMinor} or later is needed, and \`${program} version\` says "${text.slice(0, 100)}"`);
  const [, version = "", major = "", minor = ""] = match;
  if (Number(major) < 2 || (Number(major) === 2 && Number(minor) < oldestMinor)) {
    throw unavailable(`git 2.${oldestMinor} or later is needed, and \`${program}\` is ${version}`);
  }
  return version;
}
