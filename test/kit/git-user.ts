import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runProgram } from "./small-process.ts";

export interface GitRun {
  readonly code: number | null;
  readonly stdout: string;
  /** The server's messages to the user, among other output of git. */
  readonly stderr: string;
}

/** The machine of a user with the stock git: a folder with clones, without any configuration of this machine. */
export interface GitUser extends AsyncDisposable {
  readonly path: string;
  /** Runs git in a subfolder without blocking a server in the same process. @throws Error with git's output if it fails */
  git(folder: string, ...args: readonly string[]): Promise<string>;
  /** Like {@link GitUser.git}, for commands that may fail. */
  attempt(folder: string, ...args: readonly string[]): Promise<GitRun>;
  /** Writes files, commits them, and returns the commit. */
  commit(folder: string, files: Readonly<Record<string, string | Buffer>>, message?: string): Promise<string>;
  /** A new empty repository to commit in. */
  init(folder: string, ...options: readonly string[]): Promise<void>;
  /** Another machine with the same files, whose next commit has the same time as the next one here. */
  copy(): Promise<GitUser>;
}

const firstSeconds = 1_700_000_000;

export async function createGitUser(environment: Readonly<Record<string, string>> = {}, startSeconds = firstSeconds): Promise<GitUser> {
  const path = await mkdtemp(join(tmpdir(), "hearth-work-"));
  let seconds = startSeconds;

  const attempt = async (folder: string, ...args: readonly string[]): Promise<GitRun> => {
    const time = `${seconds} +0000`;
    const env = {
      PATH: process.env.PATH,
      HOME: path,
      TMPDIR: tmpdir(),
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_TERMINAL_PROMPT: "0",
      GIT_AUTHOR_NAME: "Ann Author",
      GIT_AUTHOR_EMAIL: "ann@example.com",
      GIT_COMMITTER_NAME: "Ann Author",
      GIT_COMMITTER_EMAIL: "ann@example.com",
      GIT_AUTHOR_DATE: time,
      GIT_COMMITTER_DATE: time,
      LC_ALL: "C",
      ...environment,
    };
    const { code, stdout, stderr } = await runProgram({ file: "git", args, cwd: join(path, folder), env });
    return { code, stdout: stdout.toString(), stderr: stderr.toString() };
  };
  const git = async (folder: string, ...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await attempt(folder, ...args);
    if (code !== 0) throw new Error(`git ${args.join(" ")} ended with ${code}: ${stderr}`);
    return stdout.trimEnd();
  };

  return {
    path,
    git,
    attempt,
    async commit(folder, files, message = "change") {
      seconds += 60;
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(join(path, folder, name)), { recursive: true });
        await writeFile(join(path, folder, name), content);
      }
      await git(folder, "add", "--", ...Object.keys(files));
      await git(folder, "commit", "-q", "--allow-empty", "-m", message);
      return git(folder, "rev-parse", "HEAD");
    },
    async init(folder, ...options) {
      await git(".", "init", "-q", "-b", "main", ...options, folder);
    },
    async copy() {
      const other = await createGitUser(environment, seconds);
      await cp(path, other.path, { recursive: true });
      return other;
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
