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

/** The commits that a push brought to a ref. */
export interface PushedView {
  /** The newest commits, newest first. */
  readonly commits: readonly CommitView[];
  readonly total: number;
  /** Undefined for a ref that does not point to a commit. */
  readonly head: CommitView | undefined;
}

export interface Move {
  /** The full name of the ref. */
  readonly name: string;
  /** Null: the ref is new. */
  readonly oldOid: Oid | null;
  readonly newOid: Oid;
}

/** Maximum number of listed commits; the others are only counted. */
const listedCommits = 5;
/** The limit for the first branch of a repository. */
const firstCommits = 10;
/** Maximum number of commits read to count them. */
const maxReads = 5_000;

const detail = { files: true, stats: false, verification: false };

/** The pushed commits that the viewer may see. For a new ref: those that the default branch does not have. */
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
  const listed = came.slice(0, listedCommits);
  const views = await viewCommits(deps, { actor: viewer, repository, detail }, listed.some(({ oid }) => oid === head.oid) ? listed : [...listed, head]);
  return { commits: views.slice(0, listed.length), total: came.length, head: views.find(({ commit }) => commit.oid === head.oid) };
}

/** A commit with its changed files; undefined if it is gone. @param wanted whether to verify its signature */
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
