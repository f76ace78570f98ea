import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { peelToCommit, readCommit } from "../../../../git/objects/objects.ts";
import { walkBetween, walkCommits } from "../../../../git/objects/walk.ts";
import type { Oid } from "../../../../git/types.ts";
import { codeStore } from "../../../repositories/branches/service/deps.ts";
import type { CommitView } from "../../../repositories/commits/model.ts";
import { type CommitDeps, viewCommits } from "../../../repositories/commits/service/loaders.ts";
import { branchPrefix } from "../../../repositories/refs/model.ts";
import { findRef } from "../../../repositories/refs/service/read.ts";

/** What a push brought to a ref. */
export interface PushedView {
  /** The newest of them, newest first. */
  readonly commits: readonly CommitView[];
  readonly total: number;
  /** Undefined for a ref to what is no commit. */
  readonly head: CommitView | undefined;
}

export interface Move {
  /** The full name of the ref. */
  readonly name: string;
  /** Null: it is new. */
  readonly oldOid: Oid | null;
  readonly newOid: Oid;
}

/** So many are told of; the others are counted. */
const toldCommits = 5;
/** Of the first branch of a repository. */
const firstCommits = 10;
/** Commits that are looked at to count what came. */
const maxReads = 5_000;

const detail = { files: true, stats: false, verification: false };

/** What moved, in commits as the viewer may be told of them. Of a new ref: what the default branch has not. */
export async function loadPushed(deps: CommitDeps, viewer: UserActor, repository: RepositorySubject, { name, oldOid, newOid }: Move): Promise<PushedView> {
  const store = codeStore(deps, repository);
  const head = await peelToCommit(store, newOid);
  if (head === undefined) return { commits: [], total: 0, head: undefined };
  const defaultName = branchPrefix + repository.defaultBranch;
  const oldest = oldOid ?? (name === defaultName ? undefined : (await findRef(deps.db, store.id, defaultName))?.oid);
  const base = oldest === undefined ? undefined : (await peelToCommit(store, oldest))?.oid;
  const came =
    base === undefined
      ? ((await walkCommits(store, head.oid, { skip: 0, limit: firstCommits })) ?? [head])
      : await walkBetween(store, head.oid, base, maxReads);
  const told = came.slice(0, toldCommits);
  const views = await viewCommits(deps, { actor: viewer, repository, detail }, told.some(({ oid }) => oid === head.oid) ? told : [...told, head]);
  return { commits: views.slice(0, told.length), total: came.length, head: views.find(({ commit }) => commit.oid === head.oid) };
}

/** One commit with its changed files. Undefined for a commit that is gone. @param wanted whether its signature is verified too */
export async function loadPayloadCommit(
  deps: CommitDeps,
  viewer: UserActor,
  repository: RepositorySubject,
  oid: Oid,
  wanted: { readonly verification: boolean } = detail,
): Promise<CommitView | undefined> {
  const commit = await readCommit(codeStore(deps, repository), oid);
  const [view] = commit === undefined ? [] : await viewCommits(deps, { actor: viewer, repository, detail: { ...detail, ...wanted } }, [commit]);
  return view;
}
