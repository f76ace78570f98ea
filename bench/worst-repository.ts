import type { GitClient } from "./git-client.ts";
import { bigDirectory, openLargeRepository, type RepositoryShape } from "./scale/large-repository.ts";

const shape: RepositoryShape = {
  commits: 10_000,
  files: 5_000,
  filesPerDirectory: 20,
  bigEntries: 20_000,
  revisions: 500,
  branches: 0,
  tags: 0,
  changedFiles: 10,
};
const lines = 20_000;
const revisions = 20;

/** Names in the repository of {@link openWorstRepository}. */
export const worst = {
  /** The first commit. */
  first: "first",
  /** One commit on `main` that changes 5,000 files. */
  changes: "changes",
  /** 20,000 lines, changed by 20 commits in turns. */
  linesFile: "lines.txt",
  /** 20,000 entries. */
  directory: bigDirectory,
} as const;

const head = (branch: string, from: string, at: number): string =>
  `commit refs/heads/${branch}\ncommitter Bench <bench@example.org> ${1_700_000_000 + at} +0000\ndata 6\nchange\n${from}`;
const file = (path: string, content: string): string => `M 100644 inline ${path}\ndata ${content.length}\n${content}\n`;

function importStream(paths: readonly string[]): string {
  const lineOf = (at: number, revision: number): string => `line ${at}, changed by ${at % revisions < revision ? at % revisions : 0}\n`;
  const edits = Array.from({ length: revisions }, (_, revision) => {
    const text = Array.from({ length: lines }, (_, at) => lineOf(at, revision + 1)).join("");
    return `${head("main", revision === 0 ? "from refs/heads/main^0\n" : "", revision)}${file(worst.linesFile, text)}\n`;
  });
  const changes = `${head(worst.changes, "from refs/heads/main\n", revisions)}${paths.map((path) => file(path, "changed\n")).join("")}\n`;
  return `${edits.join("")}${changes}done\n`;
}

/**
 * Generates a repository that is as large as a common site's largest one, in each respect that a request can depend on: commits, files of a commit,
 * lines, entries of a directory.
 * @returns its path, and the commits of `main` from the newest to the oldest
 */
export async function openWorstRepository(git: GitClient): Promise<{ readonly path: string; readonly commits: readonly string[] }> {
  const path = await openLargeRepository(git, "worst", shape);
  const run = (args: readonly string[], input?: string): Promise<string> => git.run(["-C", path, ...args], input);
  const paths = (await run(["ls-tree", "-r", "--name-only", "main", "src/"])).split("\n").slice(0, shape.files);
  await run(["fast-import", "--quiet", "--done", "--force"], importStream(paths));
  const commits = (await run(["rev-list", "main"])).split("\n");
  await run(["update-ref", `refs/heads/${worst.first}`, commits.at(-1) ?? ""]);
  return { path, commits };
}
