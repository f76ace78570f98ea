import type { RepositorySubject } from "../../../../access/subjects.ts";
import { type ForgeError, notFound, unavailable } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import { readCommit } from "../../../../git/objects/objects.ts";
import type { GitStore, GitStores } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { branchPrefix, shortName } from "../../refs/model.ts";
import { type ResolvedRev, type RevKind, resolvePath, resolveRev } from "../../refs/service/resolve.ts";
import type { Viewpoint } from "../model.ts";

export interface ViewpointDeps {
  readonly db: Reader;
  readonly git: GitStores;
}

/** Resolves a revision to a commit; empty for the tip of the default branch. @throws ForgeError `not_found` */
export async function findViewpoint(deps: ViewpointDeps, repository: RepositorySubject, rev: string): Promise<Viewpoint> {
  const word = rev === "" ? repository.defaultBranch : rev;
  const store = codeStore(deps, repository);
  const found = await resolveRev(deps, store, word, rev === "" ? ["branch"] : undefined);
  if (found === undefined) throw missingRev(word);
  return viewAt(store, word, found);
}

/** Names a viewpoint for use in URLs: the branch or tag, the abbreviated id as given, or the complete id. */
async function viewAt(store: GitStore, word: string, { kind, refName, commitOid }: ResolvedRev): Promise<Viewpoint> {
  const isDigits = /^[0-9a-f]+$/i.test(word);
  return { kind, rev: refName === undefined ? (isDigits ? word : commitOid) : shortName(refName), commit: await requireCommit(store, commitOid) };
}

export const missingRev = (rev: string): ForgeError => notFound(undefined, { details: [`object does not exist [id: ${rev}, rel_path: ]`] });

/** A ref is only written once its object is durable, so a missing object means damage. */
export async function requireCommit(store: GitStore, oid: Oid) {
  const commit = await readCommit(store, oid);
  if (commit === undefined) throw unavailable("a commit of the repository cannot be read", { meta: { storeId: store.id, oid } });
  return commit;
}

/** A path split into a revision and the rest. */
export interface ViewedPath {
  readonly at: Viewpoint;
  /** The rest of the path; empty if there is none. */
  readonly path: string;
}

/** Splits the revision off the front of a path. @param kinds the kinds of revisions to accept */
export async function splitViewedPath(
  deps: ViewpointDeps,
  repository: RepositorySubject,
  path: string,
  kinds: readonly RevKind[],
): Promise<ViewedPath | undefined> {
  const store = codeStore(deps, repository);
  for await (const { word, found, rest } of resolvePath(deps, store, path, { kinds })) return { at: await viewAt(store, word, found), path: rest };
  return undefined;
}

/**
 * All interpretations of a path without a kind of revision: below each revision that it begins with, and last as a whole at the default branch.
 * @throws ForgeError `not_found` if there is no default branch
 */
export async function* viewPath(deps: ViewpointDeps, repository: RepositorySubject, path: string): AsyncGenerator<ViewedPath, void, undefined> {
  const store = codeStore(deps, repository);
  const { defaultBranch } = repository;
  let hasDefault = false;
  for await (const { word, found, rest } of resolvePath(deps, store, path, { fallback: branchPrefix + defaultBranch })) {
    if (word === "") hasDefault = true;
    yield { at: await viewAt(store, word, found), path: rest };
  }
  if (!hasDefault) throw missingRev(defaultBranch);
}
