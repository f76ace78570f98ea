import { join } from "node:path";
import { apiRead, apiWrite, pageRead } from "./http-work.ts";
import type { Site } from "./site.ts";
import { gitUrl } from "./target.ts";
import type { WorkItem } from "./work.ts";

interface Numbered {
  readonly number: number;
}

const post = <T>({ target }: Site, path: string, body: object): Promise<T> => target.http.json("POST", `/api/v1${path}`, body);
const content = Buffer.from("A line of text.\n").toString("base64");

/** Creates a branch with a new file. */
const createBranch = (site: Site, path: string, branch: string, base: string): Promise<unknown> =>
  post(site, `${path}/contents/${branch}.txt`, { content, message: `Add ${branch}`, branch: base, new_branch: branch });

const createPull = (site: Site, path: string, head: string, base: string): Promise<Numbered> => post(site, `${path}/pulls`, { title: head, head, base });

/** Creates a repository with `files` files on `main` and `added` more on `head`. @returns its API path */
const createWithFiles = (site: Site, name: string, files: number, added: number): Promise<string> =>
  createFromImport(site, name, [commitOf("main", "base", files), commitOf("head", "head", added, "main")]);

/** Creates a repository with the branches `main` and `head`. @param commits for git-fast-import(1) @returns its API path */
async function createFromImport(site: Site, name: string, commits: readonly string[]): Promise<string> {
  const { target, git, prefix } = site;
  const repository = `${prefix}-${name}`;
  const folder = join(git.folder, `${repository}.git`);
  await target.http.json("POST", "/api/v1/user/repos", { name: repository, default_branch: "main" });
  await git.run(["init", "--quiet", "--bare", "--initial-branch=main", folder]);
  await git.run(["-C", folder, "fast-import", "--quiet"], commits.join(""));
  await git.run(["-C", folder, "push", "--quiet", gitUrl(target, repository), "refs/heads/*:refs/heads/*"]);
  return `/repos/${target.owner}/${repository}`;
}

/** A commit for git-fast-import(1) with small files, 100 per directory. */
const commitOf = (branch: string, prefix: string, files: number, from?: string): string =>
  importOf(branch, from, files, (at) => [`${prefix}/${Math.floor(at / 100)}/file-${at}.txt`, `${prefix} ${at}\n`.repeat(3)]);

/** A commit for git-fast-import(1). */
function importOf(branch: string, from: string | undefined, files: number, fileAt: (at: number) => readonly [path: string, text: string]): string {
  const head = `commit refs/heads/${branch}\ncommitter Bench <bench@example.org> 1704164645 +0000\ndata 5\nFiles\n${from === undefined ? "" : `from refs/heads/${from}\n`}`;
  const changes = Array.from({ length: files }, (_, at) => {
    const [path, text] = fileAt(at);
    return `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
  });
  return `${head}${changes.join("")}\n`;
}

/** A source file whose changed version differs in two places. */
const codeOf = (at: number, isChanged: boolean): string =>
  Array.from({ length: 80 }, (_, line) => {
    const word = isChanged && (line === 20 || line === 60) ? "const" : "var";
    return line % 8 === 0 ? `// Values of file ${at}.\n` : `${word} value${line} = compute("a text", ${at + line}, { key: true });\n`;
  }).join("");

/** Creates a repository of 100 source files, in each of which the branch `head` changes two places. @returns its API path */
const createWithCode = (site: Site, name: string): Promise<string> =>
  createFromImport(site, name, [
    importOf("main", undefined, 100, (at) => [`src/${at}.js`, codeOf(at, false)]),
    importOf("head", "main", 100, (at) => [`src/${at}.js`, codeOf(at, true)]),
  ]);

const pullFiles = (id: string, title: string, ceilingMs: number, files: number): WorkItem =>
  apiRead(id, title, ceilingMs, async (site) => {
    const path = await createWithFiles(site, id, 10, files);
    return `${path}/pulls/${(await createPull(site, path, "head", "main")).number}/files?limit=50`;
  });

const openPulls = 40;

/** Mergeability of pull requests with one changed file after the base has moved: each is requested once per move. */
function mergeabilityCheck(id: string, title: string, files: number): WorkItem {
  return {
    id,
    title,
    ceilingMs: 25,
    isSequential: true,
    effort: { rounds: 5, roundMs: 20_000, roundOperations: openPulls },
    open: async (site) => {
      const path = await createWithFiles(site, id, files, 1);
      for (let at = 0; at < openPulls; at += 1) await createBranch(site, path, `topic-${at}`, "main");
      for (let at = 0; at < openPulls; at += 1) await createPull(site, path, `topic-${at}`, "main");
      return {
        prepare: async (round) => void (await post(site, `${path}/contents/moved-${round}.txt`, { content, message: "Move the base", branch: "main" })),
        run: async (index) => {
          const [pull] = await site.target.http.json<readonly { readonly mergeable: boolean }[]>(
            "GET",
            `/api/v1${path}/pulls?limit=1&page=${(index % openPulls) + 1}`,
          );
          if (pull?.mergeable !== true) throw new Error("a head that adds a file is not mergeable");
        },
      };
    },
  };
}

const mergesPerRound = 50;

export const pullWork: readonly WorkItem[] = [
  apiRead("pulls", "list 50 pull requests", 2.5, async (site) => {
    const path = await createWithFiles(site, "pulls", 10, 1);
    for (let at = 0; at < 50; at += 1) {
      await createBranch(site, path, `topic-${at}`, "main");
      await createPull(site, path, `topic-${at}`, "main");
    }
    return `${path}/pulls?limit=50`;
  }),
  pullFiles("pull-files", "list files of a pull request, 100 files", 4, 100),
  // Its limit is 300 ms of time.
  pullFiles("pull-files-many", "list files of a pull request, 50 of 10,000", 300, 10_000),
  pageRead("page-pull-files", "pull request files page, 100 files", 60, async (site) => {
    const path = await createWithCode(site, "page-pull-files");
    return `${path.slice("/repos".length)}/pulls/${(await createPull(site, path, "head", "main")).number}/files`;
  }),
  pageRead("page-commit", "commit page, 100 files", 60, async (site) => `${(await createWithCode(site, "page-commit")).slice("/repos".length)}/commit/head`),
  pageRead(
    "page-compare",
    "compare page, 100 files",
    60,
    async (site) => `${(await createWithCode(site, "page-compare")).slice("/repos".length)}/compare/main...head`,
  ),
  {
    id: "merge",
    title: "create and merge a pull request",
    ceilingMs: 30,
    isSequential: true,
    effort: { rounds: 3, roundMs: 20_000, roundOperations: mergesPerRound },
    open: async (site) => {
      const path = `/repos/${site.target.owner}/${await site.edited()}`;
      const base = site.source.defaultBranch;
      const branchOf = (index: number): string => `${site.prefix}-merged-${index}`;
      return {
        prepare: async (round) => {
          for (let at = 0; at < mergesPerRound; at += 1) await createBranch(site, path, branchOf(round * mergesPerRound + at), base);
        },
        run: async (index) => {
          const { number } = await createPull(site, path, branchOf(index), base);
          await post(site, `${path}/pulls/${number}/merge`, { Do: "merge" });
        },
      };
    },
  },
  mergeabilityCheck("conflicts-300", "mergeability check, 300 files", 300),
  mergeabilityCheck("conflicts-30000", "mergeability check, 30,000 files", 30_000),
  apiWrite("status", "create a commit status", 0.5, async (site) => {
    const path = `/repos/${site.target.owner}/${await site.edited()}/statuses/${site.source.tip}`;
    return { run: async (index) => void (await post(site, path, { state: "success", context: `bench ${index}`, description: "done" })) };
  }),
];
