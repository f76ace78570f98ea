import { execFile } from "node:child_process";
import { unavailable } from "../core/errors.ts";

/** Debian 12 has it; the first with `merge-tree --write-tree` and everything else that is used here. */
const oldestMinor = 39;

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
