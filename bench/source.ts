import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { repositoryRoot } from "../tools/repository.ts";
import type { GitClient } from "./git-client.ts";

/** The repository that is pushed, browsed and cloned: a local bare mirror. */
export interface Source {
  readonly folder: string;
  readonly name: string;
  readonly defaultBranch: string;
  readonly tip: string;
  /** Ancestor of the tip by 30 first parents. */
  readonly older: string;
  readonly refs: number;
  readonly commits: number;
  readonly directory: string;
  readonly file: string;
}

/** Express, from the bundle that HEARTH_BENCH_BUNDLE names, or from the default path; otherwise a generated repository of similar size. */
export async function openSource(git: GitClient): Promise<Source> {
  const bundle = resolve(repositoryRoot, process.env.HEARTH_BENCH_BUNDLE ?? "../shared/data/express.bundle");
  const folder = join(git.folder, "source.git");
  if (existsSync(bundle)) await git.run(["clone", "--quiet", "--mirror", bundle, folder]);
  else await generate(git, folder);

  const ask = (...args: readonly string[]): Promise<string> => git.run(["-C", folder, ...args]);
  const directory = "lib";
  const files = (await ask("ls-tree", "--name-only", "HEAD", `${directory}/`)).split("\n");
  return {
    folder,
    name: existsSync(bundle) ? "express" : "a generated repository",
    defaultBranch: await ask("symbolic-ref", "--short", "HEAD"),
    tip: await ask("rev-parse", "HEAD"),
    older: await ask("rev-parse", "HEAD~30"),
    refs: (await ask("for-each-ref", "--format=x")).split("\n").length,
    commits: Number(await ask("rev-list", "--count", "--all")),
    directory,
    file: files[0] ?? "",
  };
}

/** Adds a chain of commits to the tip, each of which changes one file, under a ref that pushes of branches and tags do not include. @returns their ids, the oldest first */
export async function appendCommits(git: GitClient, source: Source, ref: string, count: number): Promise<string[]> {
  const commits = Array.from({ length: count }, (_, at) =>
    commitText(ref, `Change ${at}`, [[`${source.directory}/change.txt`, `change ${at}\n`]], at === 0 ? source.tip : undefined),
  );
  await git.run(["-C", source.folder, "fast-import", "--quiet", "--force"], commits.join(""));
  return (await git.run(["-C", source.folder, "rev-list", "--reverse", `${source.tip}..${ref}`])).split("\n");
}

async function generate(git: GitClient, folder: string): Promise<void> {
  await git.run(["init", "--quiet", "--bare", "--initial-branch=master", folder]);
  const commits = Array.from({ length: 6_000 }, (_, at) => {
    const tag = at % 20 === 19 ? `reset refs/tags/v${(at + 1) / 20}\nfrom refs/heads/master\n\n` : "";
    return commitText("refs/heads/master", `Change ${at}`, [[pathOf(at), contentOf(at)]]) + tag;
  });
  await git.run(["-C", folder, "fast-import", "--quiet"], commits.join(""));
}

/** 200 files in 10 folders, `lib` among them. */
const pathOf = (at: number): string => `${at % 10 === 0 ? "lib" : `part-${at % 10}`}/file-${at % 200}.js`;
const contentOf = (at: number): string =>
  Array.from({ length: 100 }, (_, line) => `export const value${line} = ${(line * 7919 + (line % 20 === at % 20 ? at : 0)) % 100_003};\n`).join("");

/** A commit for git-fast-import(1). */
function commitText(ref: string, message: string, files: readonly (readonly [path: string, content: string])[], from?: string): string {
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const person = "committer Bench <bench@example.org> 1704164645 +0000";
  const changes = files.map(([path, content]) => `M 100644 inline ${path}\n${data(content)}`);
  return `commit ${ref}\n${person}\n${data(message)}${from === undefined ? "" : `from ${from}\n`}${changes.join("")}\n`;
}
