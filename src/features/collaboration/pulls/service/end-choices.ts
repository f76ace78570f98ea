import type { UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Reader } from "../../../../db/db.ts";
import { codeStore } from "../../../repositories/branches/service/deps.ts";
import { findForkOf } from "../../../repositories/forks/service/network.ts";
import { shortName } from "../../../repositories/refs/model.ts";
import { offerNewestRefs, searchBranches, searchTags } from "../../../repositories/refs/service/read.ts";
import { resolveRev } from "../../../repositories/refs/service/resolve.ts";
import type { RepositoryView } from "../../../repositories/repos/model.ts";
import { listForks } from "../../../repositories/repos/service/search.ts";
import type { PullDeps, PullViewing } from "./deps.ts";

export interface RefNames {
  readonly branches: readonly string[];
  readonly tags: readonly string[];
  /** There may be others. */
  readonly hasMore: boolean;
}

/** Suggested ends of a comparison. */
export interface EndChoices {
  /** Where the comparison can take place, as `owner/name`, with the default branch: the repository itself, the parent of a fork, and that of the head. */
  readonly bases: readonly { readonly name: string; readonly branch: string }[];
  readonly base: RefNames;
  /** Repositories of the head as `owner/name`, with the head that is compared first. */
  readonly heads: readonly { readonly name: string; readonly head: string }[];
  readonly headRepository: string;
  readonly head: RefNames;
}

/** The branch that pull requests of a fork are usually for. */
export interface Upstream {
  readonly ownerName: string;
  readonly name: string;
  readonly defaultBranch: string;
}

export const upstreamOf = ({ parent }: RepositoryView): Upstream | undefined =>
  parent === undefined || parent.isArchived || !atLeast(parent.right.unit("repo.pulls"), "read")
    ? undefined
    : { ownerName: parent.owner.name, name: parent.name, defaultBranch: parent.defaultBranch };

/** Maximum number of suggestions of each kind; other refs can be typed. */
const offeredRefs = 50;
const offeredForks = { page: 1, limit: 20, offset: 0 };

/** The most recently updated branches and tags of both ends, and the repositories of the network. */
export async function listEndChoices(
  deps: PullDeps,
  { actor, repository }: PullViewing,
  view: RepositoryView,
  headRepository: RepositorySubject = repository,
): Promise<EndChoices> {
  const own = await newestNames(deps.db, repository.codeStoreId);
  const upstream = upstreamOf(view);
  const forks = view.forksCount === 0 ? [] : (await listForks(deps, actor, repository.id, offeredForks)).items;
  const isElsewhere = headRepository.id !== repository.id;
  const prefix = isElsewhere ? `${prefixOf(repository, headRepository)}:` : "";
  const head = isElsewhere ? withPrefix(prefix, await newestNames(deps.db, headRepository.codeStoreId)) : own;
  const heads = [
    { name: repository.fullName, head: repository.defaultBranch },
    ...(upstream === undefined ? [] : [headOf(repository, upstream)]),
    ...forks.filter(({ isEmpty }) => !isEmpty).map(({ owner, name, defaultBranch }) => headOf(repository, { ownerName: owner.name, name, defaultBranch })),
    ...(isElsewhere ? [headOf(repository, headRepository)] : []),
  ];
  const bases = [
    { name: repository.fullName, branch: repository.defaultBranch },
    ...(upstream === undefined ? [] : [{ name: `${upstream.ownerName}/${upstream.name}`, branch: upstream.defaultBranch }]),
    ...(isElsewhere ? [{ name: headRepository.fullName, branch: headRepository.defaultBranch }] : []),
  ];
  return { bases: distinct(bases), base: own, heads: distinct(heads), headRepository: headRepository.fullName, head };
}

/** The newest branches of the actor's fork, as heads of a comparison. */
export async function listOwnHeads(deps: PullDeps, actor: UserActor, repository: RepositorySubject): Promise<readonly string[]> {
  const fork = await findForkOf(deps, actor, repository.id, actor.id);
  if (fork === undefined || fork.id === repository.id) return [];
  const { branches } = await newestNames(deps.db, fork.codeStoreId);
  return withPrefix(`${prefixOf(repository, fork)}:`, { branches: branches.filter((name) => name !== repository.defaultBranch), tags: [], hasMore: false })
    .branches;
}

/** An owner has one fork of a repository at most, but can have forks of its forks. */
const prefixOf = (base: RepositorySubject, { ownerName, name }: Pick<Upstream, "ownerName" | "name">): string =>
  ownerName === base.ownerName ? `${ownerName}/${name}` : ownerName;

const headOf = (base: RepositorySubject, place: Upstream) => ({
  name: `${place.ownerName}/${place.name}`,
  head: `${prefixOf(base, place)}:${place.defaultBranch}`,
});

const distinct = <T extends { readonly name: string }>(places: readonly T[]): readonly T[] => [...new Map(places.map((place) => [place.name, place])).values()];

async function newestNames(db: Reader, storeId: number): Promise<RefNames> {
  const { branches, tags } = await offerNewestRefs(db, storeId, offeredRefs);
  return { branches, tags, hasMore: branches.length === offeredRefs || tags.length === offeredRefs };
}

const withPrefix = (prefix: string, { branches, tags, hasMore }: RefNames): RefNames => ({
  branches: branches.map((name) => prefix + name),
  // Tags of forks cannot be compared: only branches have an owner.
  tags: tags.slice(0, 0),
  hasMore,
});

/** Whether the base exists. */
export const hasBase = async (deps: PullDeps, { repository }: PullViewing, base: string): Promise<boolean> =>
  repository.isEmpty || (await resolveRev(deps, codeStore(deps, repository), base)) !== undefined;

const firstMatches = { page: 1, limit: 50, offset: 0 };

/** Branches and tags of the repository whose name contains a text, newest first. */
export async function findMatchingRefs({ db }: { readonly db: Reader }, { repository }: PullViewing, part: string): Promise<RefNames> {
  if (part === "" || part.includes(":")) return { branches: [], tags: [], hasMore: false };
  const branches = await searchBranches(db, repository.codeStoreId, part, firstMatches);
  const tags = await searchTags(db, repository.codeStoreId, part, firstMatches);
  const names = (found: typeof branches): readonly string[] => found.items.map(({ name }) => shortName(name));
  return { branches: names(branches), tags: names(tags), hasMore: branches.total + tags.total > branches.items.length + tags.items.length };
}
