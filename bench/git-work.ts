import { join } from "node:path";
import { askForRefs } from "./ask-for-refs.ts";
import { createRepository, type Site } from "./site.ts";
import { appendCommits } from "./source.ts";
import { gitUrl } from "./target.ts";
import { fewTimes, manyTimes, onceARound, type WorkItem } from "./work.ts";

/** So often is asked without git before git is counted: the engine compiles a server's code by how often it has run. */
const plainQuestions = 20_000;
const askedAtATime = 4;

/** Ceilings are of one request; asking for the refs takes two. */
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
    id: "ask-for-refs",
    title: "what ls-remote asks, two requests",
    ceilingMs: lsRemoteCeilingMs,
    effort: manyTimes,
    open: async ({ target, ...site }) => {
      const repository = await site.browsed();
      return { run: () => askForRefs(`${target.url}/${target.owner}/${repository}.git`) };
    },
  },
  {
    id: "ls-remote",
    title: "ls-remote, two requests",
    ceilingMs: lsRemoteCeilingMs,
    effort: { ...manyTimes, warmUpMs: 2_000, roundMs: 3_000 },
    open: async ({ git, target, ...site }, operations) => {
      const repository = await site.browsed();
      const url = gitUrl(target, repository);
      // Git itself takes most of the time: with it alone it would be minutes until a server has answered as often as for the other cheap rows.
      for (let asked = 0; asked < Math.min(plainQuestions, operations); asked += askedAtATime) {
        await Promise.all(Array.from({ length: askedAtATime }, () => askForRefs(`${target.url}/${target.owner}/${repository}.git`)));
      }
      return { run: async () => void (await git.run(["ls-remote", "--quiet", url])) };
    },
  },
  {
    id: "push",
    title: "push of one commit",
    // Each builds on the one before.
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
    title: "push of the whole repository",
    ceilingMs: 1_500,
    effort: onceARound,
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
    title: "clone, first",
    ceilingMs: 150,
    effort: onceARound,
    open: async (site, operations) => {
      const repository = await site.pushed();
      const commits = await appendCommits(site.git, site.source, "refs/bench/clone", operations);
      // A branch that moves makes every clone the first of its kind.
      return { prepare: (round) => push(site, repository, `${commits[round]}:refs/heads/bench/clone`), run: () => clone(site, repository) };
    },
  },
  {
    id: "clone-again",
    title: "clone, again",
    ceilingMs: 10,
    // In so few, one collection of the whole heap of a server that has just begun would be half of each.
    effort: { ...fewTimes, warmUpMs: 6_000, roundOperations: 5 },
    open: async (site) => {
      const repository = await site.browsed();
      await clone(site, repository);
      return { run: () => clone(site, repository) };
    },
  },
  {
    id: "clone-mirror",
    title: "clone --mirror, again",
    effort: { ...fewTimes, roundOperations: 5 },
    open: async ({ git, target, ...site }) => {
      const url = gitUrl(target, await site.browsed());
      let mirrors = 0;
      return { run: async () => void (await git.run(["clone", "--quiet", "--mirror", url, join(git.folder, `mirror-${mirrors++}.git`)])) };
    },
  },
  {
    // In twice the time of the row above.
    id: "migrate",
    title: "migration of the same",
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
