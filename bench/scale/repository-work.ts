import { existsSync } from "node:fs";
import { join } from "node:path";
import { pushBody, zeroOid } from "../../test/kit/raw-push.ts";
import type { GitClient } from "../git-client.ts";
import type { HttpClient } from "../http-client.ts";
import type { Effort, Operation } from "../measure.ts";
import { bigDirectory, historyFile, type RepositoryShape, wideBranch } from "./large-repository.ts";
import { administrator, type NamedShape } from "./repository-seed.ts";

/** A seeded repository of a server that is measured. */
export interface RepositoryPlace extends NamedShape {
  /** With the token of the administrator. */
  readonly http: HttpClient;
  /** Path of the generated repository. */
  readonly source: string;
  readonly git: GitClient;
  /** With a token as password. */
  readonly gitUrl: string;
}

/**
 * `first`: nothing is known about the answer. `again`: it was requested before, and may cost no process. `changed`: the first request after a
 * commit to the default branch. `push` and `clone`: an operation of a git client, not for the first time.
 */
type Occasion = "first" | "again" | "changed" | "push" | "clone";

/** An operation that is measured on a small and on a large repository. Items run in their order: the first requests come before the others. */
export interface RepositoryItem {
  readonly id: string;
  readonly title: string;
  /** Server CPU of one operation in ms, on both repositories. */
  readonly ceilingMs: number;
  readonly occasion: Occasion;
  /** Maximum number of processes of one operation. */
  readonly maxProcesses: number;
  open(place: RepositoryPlace): Promise<Operation>;
}

type PathOf = (place: RepositoryPlace) => string;

const apiPath = ({ name }: NamedShape): string => `/api/v1/repos/${administrator}/${name}`;
const pagePath = ({ name }: NamedShape): string => `/${administrator}/${name}`;
const pullPath: PathOf = (place) => `${pagePath(place)}/pulls/1`;

const get = async ({ http }: RepositoryPlace, path: string): Promise<void> => {
  const { status, body } = await http.send("GET", path);
  if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${body.toString("utf8", 0, 300)}`);
};

/** A walk for each entry of the root, and a few for other parts of a page. */
const firstProcesses = 10;

const read = (id: string, title: string, occasion: "first" | "again", ceilingMs: number, pathOf: PathOf): RepositoryItem => ({
  id: `${id}-${occasion}`,
  title: `${title}, ${occasion === "first" ? "first time" : "again"}`,
  ceilingMs,
  occasion,
  maxProcesses: occasion === "first" ? firstProcesses : 0,
  open: async (place) => ({ run: () => get(place, pathOf(place)) }),
});

const readChanged = (id: string, title: string, { ceilingMs, maxProcesses = 0 }: Changed, pathOf: PathOf): RepositoryItem => ({
  id: `${id}-changed`,
  title: `${title}, after a commit`,
  ceilingMs,
  occasion: "changed",
  maxProcesses,
  open: async (place) => ({
    prepare: async (round) => {
      const file = { content: Buffer.from("Added.\n").toString("base64"), message: `Add a file for ${id}`, branch: "main" };
      await place.http.json("POST", `${apiPath(place)}/contents/src/added/${id}-${round}.txt`, file);
    },
    run: () => get(place, pathOf(place)),
  }),
});

interface Changed {
  readonly ceilingMs: number;
  readonly maxProcesses?: number;
}

interface Ceilings {
  readonly first?: number;
  readonly again: number;
  readonly changed?: Changed;
}

const reads = (id: string, title: string, { first, again, changed }: Ceilings, pathOf: PathOf): RepositoryItem[] => [
  ...(first === undefined ? [] : [read(id, title, "first", first, pathOf)]),
  read(id, title, "again", again, pathOf),
  ...(changed === undefined ? [] : [readChanged(id, title, changed, pathOf)]),
];

const pageSize = 50;
const middlePage = ({ shape }: NamedShape): number => Math.max(1, Math.floor(shape.revisions / pageSize / 2));
const lastPage = (items: number): number => Math.max(1, Math.ceil(items / pageSize));

/** Work that follows several pushes, such as the copy of the refs on disk, is part of the cost of each. */
const pushesPerRound = 10;

/** @param openSource @returns a bare repository of the client with `main`, and the URL that it pushes to */
const push = (
  id: string,
  title: string,
  openSource: (place: RepositoryPlace) => Promise<{ readonly clone: string; readonly url: string }>,
): RepositoryItem => ({
  id,
  title,
  ceilingMs: 9,
  occasion: "push",
  maxProcesses: 0,
  async open(place) {
    const { git } = place;
    const { clone, url } = await openSource(place);
    const at = ["-C", clone];
    let tip = await git.run([...at, "rev-parse", "main"]);
    const commits: string[] = [];
    return {
      prepare: async (round) => {
        for (let pushed = 0; pushed < pushesPerRound; pushed += 1) {
          tip = await git.run([...at, "commit-tree", "-p", tip, "-m", `Push ${round}, ${pushed}`, `${tip}^{tree}`]);
          commits.push(tip);
        }
      },
      run: async (index) => void (await git.run([...at, "push", "--quiet", url, `${commits[index]}:refs/heads/pushed`])),
    };
  },
});

/** Pushes commits without changes to a branch of their own. */
const pushToSeed = push("push", "push of one commit", async ({ git, gitUrl, name, source }) => {
  const clone = `${name}-pushes.git`;
  if (!existsSync(join(git.folder, clone))) await git.run(["clone", "--quiet", "--bare", "--shared", "--single-branch", source, clone]);
  return { clone, url: gitUrl };
});

/** 8,000 in a repository with 45,000 branches. */
const fewerRefs = ({ branches }: RepositoryShape): number => Math.round((branches * 8) / 45);

/** The same in a repository with one commit and fewer refs, all of which are pushed at once. */
const pushAmongRefs = push("push-8000", "push of one commit, 8,000 refs", async ({ git, http, gitUrl, name, shape }) => {
  const repository = `${name}-refs`;
  const clone = `${repository}.git`;
  const url = gitUrl.replace(`/${name}.git`, `/${clone}`);
  if (existsSync(join(git.folder, clone))) return { clone, url };
  await git.run(["init", "--quiet", "--bare", "--initial-branch=main", clone]);
  const at = ["-C", clone];
  const treeOid = await git.run([...at, "mktree"], "");
  const oid = await git.run([...at, "commit-tree", "-m", "Start", treeOid]);
  await git.run([...at, "update-ref", "refs/heads/main", oid]);
  await http.json("POST", "/api/v1/user/repos", { name: repository, default_branch: "main" });
  await git.run([...at, "push", "--quiet", url, "main"]);
  const commands = Array.from({ length: fewerRefs(shape) }, (_, index) => `${zeroOid} ${oid} refs/heads/topic/${index}`);
  const body = pushBody({ commands });
  const { status } = await http.send("POST", `/${administrator}/${clone}/git-receive-pack`, body, "application/x-git-receive-pack-request");
  if (status !== 200) throw new Error(`a push of ${commands.length} refs answered ${status}`);
  return { clone, url };
});

const clones = (occasion: "first" | "clone", title: string, ceilingMs: number): RepositoryItem => ({
  id: `clone-blobless-${occasion === "first" ? "first" : "again"}`,
  title,
  ceilingMs,
  occasion,
  maxProcesses: occasion === "first" ? firstProcesses : 0,
  open: async ({ git, gitUrl, name }) => ({
    run: async (index) => void (await git.run(["clone", "--quiet", "--bare", "--filter=blob:none", gitUrl, `${name}-${occasion}-${index}-${Date.now()}.git`])),
  }),
});

/** About as many refs as a fetch can ask for in one piece: git sends larger requests in a chunk for each ref. */
const fetchOfManyRefs: RepositoryItem = {
  id: "fetch-blobless-again",
  title: "fetch of 11,111 branches without blobs, again",
  ceilingMs: 20,
  occasion: "clone",
  maxProcesses: 0,
  open: async ({ git, gitUrl, name }) => ({
    run: async (index) => {
      const folder = `${name}-fetch-${index}-${Date.now()}.git`;
      await git.run(["init", "--quiet", "--bare", folder]);
      await git.run(["-C", folder, "fetch", "--quiet", "--filter=blob:none", gitUrl, "refs/heads/topic/1*:refs/heads/topic/1*"]);
    },
  }),
};

/** Requests and git operations, for small and large repositories. */
export const repositoryItems: readonly RepositoryItem[] = [
  ...reads("root-page", "repository page", { first: 1_500, again: 15, changed: { ceilingMs: 60 } }, pagePath),
  // At an older commit, because the page has found the last commits of the newest one.
  read("root-contents", "contents API of the root", "first", 1_500, (place) => `${apiPath(place)}/contents?ref=topic/${place.shape.branches >> 1}`),
  ...reads("root-contents", "contents API of the root", { again: 15, changed: { ceilingMs: 60 } }, (place) => `${apiPath(place)}/contents`),
  ...reads(
    "history-page",
    "history page of a file",
    { first: 30, again: 15, changed: { ceilingMs: 60, maxProcesses: 1 } },
    (place) => `${pagePath(place)}/commits/branch/main/${historyFile}`,
  ),
  ...reads(
    "history-page-middle",
    "history page of a file, middle page",
    { first: 300, again: 15 },
    (place) => `${pagePath(place)}/commits/branch/main/${historyFile}?limit=${pageSize}&page=${middlePage(place)}`,
  ),
  ...reads(
    "history",
    "commits API of a file",
    { first: 900, again: 15, changed: { ceilingMs: 60 } },
    (place) => `${apiPath(place)}/commits?path=${historyFile}&limit=${pageSize}`,
  ),
  ...reads(
    "history-middle",
    "commits API of a file, middle page",
    { first: 60, again: 15 },
    (place) => `${apiPath(place)}/commits?path=${historyFile}&limit=${pageSize}&page=${middlePage(place)}`,
  ),
  ...reads(
    "big-page",
    "page of a large directory",
    { first: 600, again: 40, changed: { ceilingMs: 60 } },
    (place) => `${pagePath(place)}/src/branch/main/${bigDirectory}`,
  ),
  ...reads(
    "big-contents",
    "contents API of a large directory, last page",
    { again: 40, changed: { ceilingMs: 60 } },
    (place) => `${apiPath(place)}/contents/${bigDirectory}?limit=${pageSize}&page=${lastPage(place.shape.bigEntries)}`,
  ),
  ...reads(
    "pull-files",
    "files of a pull request, last page",
    { first: 300, again: 10 },
    (place) => `${apiPath(place)}/pulls/1/files?limit=${pageSize}&page=${lastPage(place.shape.changedFiles)}`,
  ),
  ...reads("pull-files-page", "files page of a pull request", { first: 450, again: 40 }, (place) => `${pullPath(place)}/files`),
  ...reads("pull-diff", "diff of a pull request", { first: 350, again: 60 }, (place) => `${pullPath(place)}.diff`),
  ...reads("blame", "blame of a file", { first: 300, again: 60 }, (place) => `${pagePath(place)}/blame/branch/main/${historyFile}`),
  ...reads("code-search", "code search, rare word", { first: 800, again: 15 }, (place) => `${pagePath(place)}/search?q=LICENSEE`),
  ...reads("refs", "git/refs API", { first: 300, again: 250 }, (place) => `${apiPath(place)}/git/refs`),
  ...reads("ls-remote", "ls-remote, protocol 0", { first: 150, again: 15 }, (place) => `${pagePath(place)}.git/info/refs?service=git-upload-pack`),
  ...reads("archive", "archive", { first: 4_800, again: 30 }, (place) => `${apiPath(place)}/archive/${wideBranch}.tar.gz`),
  pushToSeed,
  pushAmongRefs,
  clones("first", "clone without blobs, first time", 2_000),
  clones("clone", "clone without blobs, again", 20),
  fetchOfManyRefs,
];

/** Longer than the delay of the copy of 50,000 refs on disk, so that it is counted. */
const copiedMs = 6_000;

/** How often an operation is measured. */
export const repositoryEfforts: Readonly<Record<Occasion, Effort>> = {
  first: { rounds: 1, roundMs: 0, roundOperations: 1, concurrency: 1 },
  again: { warmUpMs: 500, rounds: 3, roundMs: 1_000, roundOperations: 300, concurrency: 1 },
  changed: { rounds: 5, roundMs: 0, roundOperations: 1, concurrency: 1 },
  push: { warmUpRounds: 1, rounds: 3, roundMs: 60_000, roundOperations: pushesPerRound, concurrency: 1, quietMs: copiedMs },
  clone: { warmUpRounds: 1, rounds: 5, roundMs: 0, roundOperations: 1, concurrency: 1 },
};
