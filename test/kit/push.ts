import type { TestUser } from "./forge.ts";
import type { ClientRepository } from "./git.ts";
import { runProgram } from "./small-process.ts";

/**
 * Pushes with the stock git, without blocking a server in this process.
 * @param fullName `owner/name`
 * @param refspecs as for `git push`; may include options
 * @throws Error with git's output if it fails
 */
export async function push(client: ClientRepository, user: TestUser, fullName: string, ...refspecs: readonly string[]): Promise<void> {
  await pushTo(client, `${user.gitOrigin}/${fullName}.git`, ...refspecs);
}

/** Like {@link push}, to a URL. */
export async function pushTo(client: ClientRepository, url: string, ...refspecs: readonly string[]): Promise<void> {
  const options = refspecs.filter((word) => word.startsWith("-"));
  const specs = refspecs.filter((word) => !word.startsWith("-"));
  const args = ["push", "-q", ...options, url, ...specs];
  const env = { PATH: process.env.PATH, HOME: client.path, GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" };
  const run = await runProgram({ file: "git", args, cwd: client.path, env });
  if (run.code === 0) return;
  const stderr = run.stderr.toString();
  throw Object.assign(new Error(`Command failed: git ${args.join(" ")}\n${stderr}`), { code: run.code, stdout: run.stdout.toString(), stderr });
}
