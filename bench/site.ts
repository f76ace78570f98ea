import { randomBytes } from "node:crypto";
import type { GitClient } from "./git-client.ts";
import type { Source } from "./source.ts";
import { gitUrl, type Target } from "./target.ts";

/** Data for the operations on one server, created through its public interface when it is first needed. */
export interface Site {
  readonly target: Target;
  readonly git: GitClient;
  readonly source: Source;
  /** Prefix of all names, so that runs on the same server do not collide. */
  readonly prefix: string;
  /** A repository with the source's history that no operation changes. @returns its name */
  browsed(): Promise<string>;
  /** A repository for edits through the API. */
  edited(): Promise<string>;
  /** A repository for pushes only: the small packs of edits would affect their cost. */
  pushed(): Promise<string>;
  /** A repository with 500 branches on commits of the source. */
  withBranches(): Promise<string>;
  /** A repository with 5,000 tags on commits of the source. */
  withTags(): Promise<string>;
  /** Ensures that there are 500 repositories. */
  createMany(): Promise<void>;
}

const manyBranches = 500;
const manyTags = 5_000;
const manyRepositories = 500;

export function openSite(target: Target, git: GitClient, source: Source): Site {
  const prefix = `bench-${randomBytes(3).toString("hex")}`;
  const pushed = async (name: string, refspecs: readonly string[]): Promise<string> => {
    await createRepository(target, name, source);
    await git.run(["-C", source.folder, "push", "--quiet", gitUrl(target, name), ...refspecs]);
    return name;
  };
  const newest = async (count: number): Promise<string[]> => (await git.run(["-C", source.folder, "rev-list", `--max-count=${count}`, "HEAD"])).split("\n");
  return {
    target,
    git,
    source,
    prefix,
    browsed: once(() => pushed(`${prefix}-browsed`, ["refs/heads/*:refs/heads/*", "refs/tags/*:refs/tags/*"])),
    edited: once(() => pushed(`${prefix}-edited`, ["refs/heads/*:refs/heads/*", "refs/tags/*:refs/tags/*"])),
    pushed: once(() => pushed(`${prefix}-pushed`, ["refs/heads/*:refs/heads/*", "refs/tags/*:refs/tags/*"])),
    withBranches: once(async () => {
      const commits = await newest(manyBranches);
      return pushed(`${prefix}-branchy`, [`HEAD:refs/heads/${source.defaultBranch}`, ...commits.slice(1).map((oid, at) => `${oid}:refs/heads/topic/${at}`)]);
    }),
    withTags: once(async () => {
      const commits = await newest(manyTags);
      const tags = Array.from({ length: manyTags }, (_, at) => `${commits[at % commits.length]}:refs/tags/t${at}`);
      return pushed(`${prefix}-tagged`, [`HEAD:refs/heads/${source.defaultBranch}`, ...tags]);
    }),
    createMany: once(async () => {
      for (let at = 0; at < manyRepositories; at += 1) {
        await target.http.json("POST", "/api/v1/user/repos", { name: `${prefix}-many-${at}`, description: `Repository ${at} of many` });
      }
    }),
  };
}

export async function createRepository(target: Target, name: string, source: Source): Promise<void> {
  await target.http.json("POST", "/api/v1/user/repos", { name, default_branch: source.defaultBranch });
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
