import { join } from "node:path";
import { requestRefs } from "./request-refs.ts";
import { createRepository, type Site } from "./site.ts";
import { appendCommits } from "./source.ts";
import { gitUrl } from "./target.ts";
import { fewTimes, manyTimes, oncePerRound, type WorkItem } from "./work.ts";

/** Requests without git before those of git are counted: V8 compiles code after it has run often. */
const rawRequests = 20_000;
const rawConcurrency = 4;

/** Ceilings are per request, and listing refs takes two. */
const lsRemoteCeilingMs = 2 * 0.5;

let clones = 0;
const clone = async ({ git, target }: Site, repository: string): Promise<void> => {
  clones += 1;
  await git.run(["clone", "--quiet", "--bare", gitUrl(target, repository), join(git.folder, `clone-${clones}.git`)]);
};

const push = async ({ git, target, source }: Site, repository: string, ...refspecs: readonly string[]): Promise<void> => {
  await git.run(["-C", source.folder, "push", "--quiet", "--force", gitUrl(target, repository), ...refspecs]);
};

export const gitWork: readonly WorkItem[] = [
  {
    id: "ls-remote-raw",
    title: "ls-remote requests over raw sockets (2)",
    ceilingMs: lsRemoteCeilingMs,
    effort: manyTimes,
    open: async ({ target, ...site }) => {
      const repository = await site.browsed();
      return { run: () => requestRefs(`${target.url}/${target.owner}/${repository}.git`) };
    },
  },
  {
    id: "ls-remote",
    title: "ls-remote with git (2 requests)",
    ceilingMs: lsRemoteCeilingMs,
    effort: { ...manyTimes, warmUpMs: 2_000, roundMs: 3_000 },
    open: async ({ git, target, ...site }, operations) => {
      const repository = await site.browsed();
      const url = gitUrl(target, repository);
      // Git itself takes most of the time. Warming up with git alone would take minutes.
      for (let sent = 0; sent < Math.min(rawRequests, operations); sent += rawConcurrency) {
        await Promise.all(Array.from({ length: rawConcurrency }, () => requestRefs(`${target.url}/${target.owner}/${repository}.git`)));
      }
      return { run: async () => void (await git.run(["ls-remote", "--quiet", url])) };
    },
  },
  {
    id: "push",
    title: "push one commit",
    // Each push builds on the previous one.
    isSequential: true,
    ceilingMs: 20,
    effort: fewTimes,
    open: async (site, operations) => {
      const repository = await site.pushed();
      const commits = await appendCommits(site.git, site.source, "refs/bench/push", operations);
      return { run: (index) => push(site, repository, `${commits[index]}:refs/heads/bench/push`) };
    },
  },
  {
    id: "push-all",
    title: "push the whole repository",
    ceilingMs: 1_500,
    effort: oncePerRound,
    open: async (site) => {
      const name = (round: number): string => `${site.prefix}-all-${round}`;
      return {
        prepare: (round) => createRepository(site.target, name(round), site.source),
        run: (index) => push(site, name(index), "refs/heads/*:refs/heads/*", "refs/tags/*:refs/tags/*"),
      };
    },
  },
  {
    id: "clone-first",
    title: "first clone",
    ceilingMs: 150,
    effort: oncePerRound,
    open: async (site, operations) => {
      const repository = await site.pushed();
      const commits = await appendCommits(site.git, site.source, "refs/bench/clone", operations);
      // After a branch has moved, no cached pack fits.
      return { prepare: (round) => push(site, repository, `${commits[round]}:refs/heads/bench/clone`), run: () => clone(site, repository) };
    },
  },
  {
    id: "clone-again",
    title: "repeated clone",
    ceilingMs: 10,
    // With fewer clones, one collection of the whole heap shortly after the start would be half of the result.
    effort: { ...fewTimes, warmUpMs: 6_000, roundOperations: 5 },
    open: async (site) => {
      const repository = await site.browsed();
      await clone(site, repository);
      return { run: () => clone(site, repository) };
    },
  },
  {
    id: "clone-mirror",
    title: "repeated clone --mirror",
    effort: { ...fewTimes, roundOperations: 5 },
    open: async ({ git, target, ...site }) => {
      const url = gitUrl(target, await site.browsed());
      return { run: async () => void (await git.run(["clone", "--quiet", "--mirror", url, join(git.folder, `mirror-${++clones}.git`)])) };
    },
  },
  {
    // The target is twice the time of the previous row.
    id: "migrate",
    title: "migrate the repository",
    ceilingMs: 2_500,
    effort: { ...fewTimes, roundOperations: 5 },
    open: async (site) => {
      const clone_addr = gitUrl(site.target, await site.browsed());
      let migrations = 0;
      return {
        run: async () => {
          migrations += 1;
          await site.target.http.json("POST", "/api/v1/repos/migrate", { clone_addr, repo_name: `${site.prefix}-migrated-${migrations}` });
        },
      };
    },
  },
];
