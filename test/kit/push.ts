import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { TestUser } from "./forge.ts";
import type { ClientRepository } from "./git.ts";

const run = promisify(execFile);

/**
 * Pushes with the stock git, without blocking a server in this process.
 * @param fullName `owner/name`
 * @param refspecs as for `git push`; may include options
 */
export async function push(client: ClientRepository, user: TestUser, fullName: string, ...refspecs: readonly string[]): Promise<void> {
  const options = [...refspecs.filter((word) => word.startsWith("-"))];
  const specs = refspecs.filter((word) => !word.startsWith("-"));
  await run("git", ["push", "-q", ...options, `${user.gitOrigin}/${fullName}.git`, ...specs], {
    cwd: client.path,
    env: { PATH: process.env.PATH, HOME: client.path, GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" },
  });
}
