import { join } from "node:path";
import { looking, reading, writing } from "./http-work.ts";
import type { Site } from "./site.ts";
import { gitUrl } from "./target.ts";
import type { WorkItem } from "./work.ts";

interface Numbered {
  readonly number: number;
}

const post = <T>({ target }: Site, path: string, body: object): Promise<T> => target.http.json("POST", `/api/v1${path}`, body);
const content = Buffer.from("A line of text.\n").toString("base64");

/** A branch with a file of its own. */
const branchOff = (site: Site, path: string, branch: string, base: string): Promise<unknown> =>
  post(site, `${path}/contents/${branch}.txt`, { content, message: `Add ${branch}`, branch: base, new_branch: branch });

const propose = (site: Site, path: string, head: string, base: string): Promise<Numbered> => post(site, `${path}/pulls`, { title: head, head, base });

/** A repository whose main branch has so many files, and whose head adds some. @returns its path in the interface */
const openOfFiles = (site: Site, name: string, files: number, added: number): Promise<string> =>
  openImported(site, name, [commitOf("main", "base", files), commitOf("head", "head", added, "main")]);

/** A repository with branches `main` and `head`. @param commits for git-fast-import(1). @returns its path in the interface */
async function openImported(site: Site, name: string, commits: readonly string[]): Promise<string> {
  const { target, git, prefix } = site;
  const repository = `${prefix}-${name}`;
  const folder = join(git.folder, `${repository}.git`);
  await target.http.json("POST", "/api/v1/user/repos", { name: repository, default_branch: "main" });
  await git.run(["init", "--quiet", "--bare", "--initial-branch=main", folder]);
  await git.run(["-C", folder, "fast-import", "--quiet"], commits.join(""));
  await git.run(["-C", folder, "push", "--quiet", gitUrl(target, repository), "refs/heads/*:refs/heads/*"]);
  return `/repos/${target.owner}/${repository}`;
}

/** For git-fast-import(1): files of a few lines, a hundred in a directory. */
const commitOf = (branch: string, prefix: string, files: number, from?: string): string =>
  importOf(branch, from, files, (at) => [`${prefix}/${Math.floor(at / 100)}/file-${at}.txt`, `${prefix} ${at}\n`.repeat(3)]);

/** For git-fast-import(1): a commit that writes files. */
function importOf(branch: string, from: string | undefined, files: number, fileAt: (at: number) => readonly [path: string, text: string]): string {
  const head = `commit refs/heads/${branch}\ncommitter Bench <bench@example.org> 1704164645 +0000\ndata 5\nFiles\n${from === undefined ? "" : `from refs/heads/${from}\n`}`;
  const changes = Array.from({ length: files }, (_, at) => {
    const [path, text] = fileAt(at);
    return `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
  });
  return `${head}${changes.join("")}\n`;
}

/** Code of which a change touches two places. */
const codeOf = (at: number, isChanged: boolean): string =>
  Array.from({ length: 80 }, (_, line) => {
    const word = isChanged && (line === 20 || line === 60) ? "const" : "var";
    return line % 8 === 0 ? `// What follows is about ${at}.\n` : `${word} value${line} = compute("a text", ${at + line}, { key: true });\n`;
  }).join("");

/** A repository of 100 files of code, in each of which the branch `head` changes two places. */
const openOfCode = (site: Site, name: string): Promise<string> =>
  openImported(site, name, [
    importOf("main", undefined, 100, (at) => [`src/${at}.js`, codeOf(at, false)]),
    importOf("head", "main", 100, (at) => [`src/${at}.js`, codeOf(at, true)]),
  ]);

const pullFiles = (id: string, title: string, ceilingMs: number, files: number): WorkItem =>
  reading(id, title, ceilingMs, async (site) => {
    const path = await openOfFiles(site, id, 10, files);
    return `${path}/pulls/${(await propose(site, path, "head", "main")).number}/files?limit=50`;
  });

const waiting = 40;

/** Whether a head of one file merges into a base that has just moved: each pull request is asked about once after each move. */
function conflictCheck(id: string, title: string, files: number): WorkItem {
  return {
    id,
    title,
    ceilingMs: 25,
    isSequential: true,
    effort: { rounds: 5, roundMs: 20_000, roundOperations: waiting },
    open: async (site) => {
      const path = await openOfFiles(site, id, files, 1);
      for (let at = 0; at < waiting; at += 1) await branchOff(site, path, `topic-${at}`, "main");
      for (let at = 0; at < waiting; at += 1) await propose(site, path, `topic-${at}`, "main");
      return {
        prepare: async (round) => void (await post(site, `${path}/contents/moved-${round}.txt`, { content, message: "Move on", branch: "main" })),
        run: async (index) => {
          const [pull] = await site.target.http.json<readonly { readonly mergeable: boolean }[]>(
            "GET",
            `/api/v1${path}/pulls?limit=1&page=${(index % waiting) + 1}`,
          );
          if (pull?.mergeable !== true) throw new Error("a head that adds a file does not merge");
        },
      };
    },
  };
}

const mergedARound = 50;

export const pullWork: readonly WorkItem[] = [
  reading("pulls", "list 50 pull requests", 2.5, async (site) => {
    const path = await openOfFiles(site, "pulls", 10, 1);
    for (let at = 0; at < 50; at += 1) {
      await branchOff(site, path, `topic-${at}`, "main");
      await propose(site, path, `topic-${at}`, "main");
    }
    return `${path}/pulls?limit=50`;
  }),
  pullFiles("pull-files", "files of a pull request that changes 100", 4, 100),
  // What it may take is time, 300 ms.
  pullFiles("pull-files-many", "the first of 10,000 files of a pull request", 300, 10_000),
  looking("page-pull-files", "page of the files of a pull request that changes 100", 60, async (site) => {
    const path = await openOfCode(site, "page-pull-files");
    return `${path.slice("/repos".length)}/pulls/${(await propose(site, path, "head", "main")).number}/files`;
  }),
  looking(
    "page-commit",
    "page of a commit that changes 100 files",
    60,
    async (site) => `${(await openOfCode(site, "page-commit")).slice("/repos".length)}/commit/head`,
  ),
  looking(
    "page-compare",
    "page of a comparison that changes 100 files",
    60,
    async (site) => `${(await openOfCode(site, "page-compare")).slice("/repos".length)}/compare/main...head`,
  ),
  {
    id: "merge",
    title: "create a pull request and merge it",
    ceilingMs: 30,
    isSequential: true,
    effort: { rounds: 3, roundMs: 20_000, roundOperations: mergedARound },
    open: async (site) => {
      const path = `/repos/${site.target.owner}/${await site.edited()}`;
      const base = site.source.defaultBranch;
      const branchOf = (index: number): string => `${site.prefix}-merged-${index}`;
      return {
        prepare: async (round) => {
          for (let at = 0; at < mergedARound; at += 1) await branchOff(site, path, branchOf(round * mergedARound + at), base);
        },
        run: async (index) => {
          const { number } = await propose(site, path, branchOf(index), base);
          await post(site, `${path}/pulls/${number}/merge`, { Do: "merge" });
        },
      };
    },
  },
  conflictCheck("conflicts-300", "conflict check, 300 files", 300),
  conflictCheck("conflicts-30000", "conflict check, 30,000 files", 30_000),
  writing("status", "commit status", 0.5, async (site) => {
    const path = `/repos/${site.target.owner}/${await site.edited()}/statuses/${site.source.tip}`;
    return { run: async (index) => void (await post(site, path, { state: "success", context: `bench ${index}`, description: "done" })) };
  }),
];
