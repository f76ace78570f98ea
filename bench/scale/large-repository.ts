import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../test/kit/random.ts";
import type { GitClient } from "../git-client.ts";

/** The shape of a generated repository. */
export interface RepositoryShape {
  readonly commits: number;
  /** Files at the tip, besides those in `big/` and the history file. */
  readonly files: number;
  readonly filesPerDirectory: number;
  /** Entries of the directory `big`. */
  readonly bigEntries: number;
  /** Commits that change {@link historyFile}. */
  readonly revisions: number;
  readonly branches: number;
  readonly tags: number;
  /** Files that the branch {@link wideBranch} changes. */
  readonly changedFiles: number;
}

export const historyFile = "hot.txt";
export const bigDirectory = "big";
/** One commit above `main`. */
export const wideBranch = "wide";

/** 200,000 commits, 100,000 files, 50,000 refs: the size of the largest public repositories. */
export const largeShape: RepositoryShape = {
  commits: 200_000,
  files: 79_999,
  filesPerDirectory: 20,
  bigEntries: 20_000,
  revisions: 20_000,
  branches: 45_000,
  tags: 5_000,
  changedFiles: 5_000,
};

/** The same rows on a small repository. */
export const smallShape: RepositoryShape = {
  commits: 500,
  files: 200,
  filesPerDirectory: 20,
  bigEntries: 50,
  revisions: 50,
  branches: 20,
  tags: 5,
  changedFiles: 50,
};

/** Generates a bare repository below the client's folder, or finds the one of an earlier run. @returns its path */
export async function openLargeRepository(git: GitClient, name: string, shape: RepositoryShape): Promise<string> {
  const path = join(git.folder, `${name}.git`);
  if (existsSync(path)) return path;
  const draft = `${path}.new`;
  await git.run(["init", "--quiet", "--bare", "--initial-branch=main", draft]);
  await git.run(["-C", draft, "config", "pack.threads", "2"]);
  await git.run(["-C", draft, "fast-import", "--quiet", "--force"], importStream(shape));
  await git.run(["-C", draft, "pack-refs", "--all"]);
  renameSync(draft, path);
  return path;
}

/** The history as input of git-fast-import(1), in chunks. The first commit creates most files, so that the tree is large all the time. */
async function* importStream(shape: RepositoryShape): AsyncGenerator<Buffer> {
  const random = seededRandom(1);
  const lines = Array.from({ length: 400 }, (_, at) => `line ${at}: ${random(1_000_000)}\n`);
  let buffered: string[] = [];
  let bytes = 0;
  const add = (text: string): void => {
    buffered.push(text);
    bytes += text.length;
  };
  const isFull = (): boolean => bytes > 1_000_000;
  const take = (): Buffer => {
    const chunk = Buffer.from(buffered.join(""));
    buffered = [];
    bytes = 0;
    return chunk;
  };
  const file = (path: string, content: string): string => `M 100644 inline ${path}\n${data(content)}`;
  const pathOf = (at: number): string => {
    const directory = Math.floor(at / shape.filesPerDirectory);
    return `src/part-${directory % 100}/module-${Math.floor(directory / 100)}/file-${at}.txt`;
  };

  add(`${head("Create the project", 0)}${file("README.md", "# Large\n")}${file(".gitignore", "dist/\n")}${file("LICENSE", "MIT\n")}`);
  for (let at = 0; at < shape.files; at += 1) {
    add(file(pathOf(at), `file ${at}\n`));
    if (isFull()) yield take();
  }
  for (let at = 0; at < shape.bigEntries; at += 1) {
    add(file(`${bigDirectory}/entry-${at}.txt`, `entry ${at}\n`));
    if (isFull()) yield take();
  }
  add("\n");
  const every = Math.max(1, Math.floor(shape.commits / shape.revisions));
  for (let commit = 1; commit < shape.commits; commit += 1) {
    add(head(`Change ${commit}`, commit));
    if (commit % every === 0) {
      lines[random(lines.length)] = `line changed by ${commit}\n`;
      add(file(historyFile, lines.join("")));
    } else {
      add(file(pathOf(random(shape.files)), `file changed by ${commit}\n`));
    }
    add("\n");
    const branch = branchAt(commit, shape);
    if (branch !== undefined) add(`reset refs/heads/topic/${branch}\nfrom refs/heads/main\n\n`);
    const tag = tagAt(commit, shape);
    if (tag !== undefined) add(`reset refs/tags/v${tag}\nfrom refs/heads/main\n\n`);
    if (isFull()) yield take();
  }
  add(head(`Change ${shape.changedFiles} files`, shape.commits, wideBranch));
  add("from refs/heads/main\n");
  for (let at = 0; at < shape.changedFiles; at += 1) add(file(pathOf(at), `file ${at}, changed\n`));
  add("\ndone\n");
  yield take();
}

const branchAt = (commit: number, { commits, branches }: RepositoryShape): number | undefined => spread(commit, commits, branches);
const tagAt = (commit: number, { commits, tags }: RepositoryShape): number | undefined => spread(commit, commits, tags);

/** Spreads a number of refs evenly over the commits. @returns the index of the ref at this commit */
function spread(commit: number, commits: number, refs: number): number | undefined {
  const index = Math.floor((commit * refs) / commits);
  return index !== Math.floor(((commit - 1) * refs) / commits) ? index : undefined;
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
const head = (message: string, at: number, branch = "main"): string =>
  `commit refs/heads/${branch}\ncommitter Bench <bench@example.org> ${1_600_000_000 + at * 60} +0000\n${data(message)}`;
