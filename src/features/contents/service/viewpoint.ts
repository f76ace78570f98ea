import type { RepositorySubject } from "../../../access/subjects.ts";
import { type ForgeError, notFound, unavailable } from "../../../core/errors.ts";
import type { Reader } from "../../../db/db.ts";
import { readCommit } from "../../../git/objects.ts";
import type { GitStore, GitStores } from "../../../git/stores.ts";
import type { Oid } from "../../../git/types.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { findRefs } from "../../refs/service/read.ts";
import { type RevKind, resolveRev } from "../../refs/service/resolve.ts";
import { branchPrefix, type RefView, shortName, tagPrefix } from "../../refs/view.ts";
import type { Viewpoint } from "../view.ts";

export interface ViewpointDeps {
  readonly db: Reader;
  readonly git: GitStores;
}

/** A commit by what a caller calls it; the tip of the default branch for the empty word. One statement. @throws ForgeError `not_found` */
export async function findViewpoint(deps: ViewpointDeps, repository: RepositorySubject, rev: string): Promise<Viewpoint> {
  const name = rev === "" ? repository.defaultBranch : rev;
  const store = codeStore(deps, repository);
  const found = await resolveRev(deps, store, name, rev === "" ? ["branch"] : undefined);
  if (found === undefined) throw missingRev(name);
  return { kind: found.kind, rev: name, commit: await requireCommit(store, found.commitOid) };
}

export const missingRev = (rev: string): ForgeError => notFound(undefined, { details: [`object does not exist [id: ${rev}, rel_path: ]`] });

/** Every ref leads to an object that was durable before the ref was, so one that is not there is damage. */
export async function requireCommit(store: GitStore, oid: Oid) {
  const commit = await readCommit(store, oid);
  if (commit === undefined) throw unavailable("a commit of the repository cannot be read", { meta: { storeId: store.id, oid } });
  return commit;
}

/** A path of an address that begins with the name of a commit. */
export interface ViewedPath {
  readonly at: Viewpoint;
  /** What is behind the name; empty when nothing is. */
  readonly path: string;
}

/** Names of branches and tags have no more slashes than this in an address. */
const maxNameSegments = 20;

/** Every name that a path may begin with, the shortest first. */
function namesIn(path: string): string[] {
  const segments = path.split("/").slice(0, maxNameSegments);
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}

const prefixes = { branch: branchPrefix, tag: tagPrefix } as const;

/**
 * Takes the name of a commit off the front of a path: `feature/x/docs/a.md` is `docs/a.md` on the branch `feature/x`. No two branches
 * can both fit, and neither can two tags. One statement.
 */
export async function splitViewedPath(
  deps: ViewpointDeps,
  repository: RepositorySubject,
  path: string,
  kinds: readonly RevKind[],
): Promise<ViewedPath | undefined> {
  const store = codeStore(deps, repository);
  const names = namesIn(path);
  const full = (["branch", "tag"] as const).filter((kind) => kinds.includes(kind)).flatMap((kind) => names.map((name) => prefixes[kind] + name));
  const refs = await findRefs(deps.db, store.id, full);
  const [named] = await viewNamed(store, refs, full, path);
  if (named !== undefined) return named;
  const [first = ""] = names;
  const commit = kinds.includes("commit") ? await resolveRev(deps, store, first, ["commit"]) : undefined;
  if (commit === undefined) return undefined;
  return { at: { kind: "commit", rev: first, commit: await requireCommit(store, commit.commitOid) }, path: path.slice(first.length + 1) };
}

/**
 * All that a path can mean where nobody says at which commit: below a branch or tag that it begins with, and last on the default branch.
 * One statement. @throws ForgeError `not_found` where there is no default branch
 */
export async function viewPath(deps: ViewpointDeps, repository: RepositorySubject, path: string): Promise<readonly ViewedPath[]> {
  const store = codeStore(deps, repository);
  const full = [branchPrefix, tagPrefix].flatMap((prefix) => namesIn(path).map((name) => prefix + name));
  const refs = await findRefs(deps.db, store.id, [...full, branchPrefix + repository.defaultBranch]);
  const usual = refs.get(branchPrefix + repository.defaultBranch);
  if (usual === undefined) throw missingRev(repository.defaultBranch);
  const at = { kind: "branch", rev: repository.defaultBranch, commit: await requireCommit(store, usual.oid) } as const;
  return [...(await viewNamed(store, refs, full, path)), { at, path }];
}

/** The path below each of the refs that there are. */
async function viewNamed(store: GitStore, refs: ReadonlyMap<string, RefView>, names: readonly string[], path: string): Promise<ViewedPath[]> {
  const found = names.map((name) => refs.get(name)).filter((ref) => ref !== undefined);
  const views = await Promise.all(found.map((ref) => viewRef(store, ref)));
  return views.filter((at) => at !== undefined).map((at) => ({ at, path: path.slice(at.rev.length + 1) }));
}

/** A tag can lead to something that is no commit; there are no files to be seen then. */
async function viewRef(store: GitStore, ref: RefView): Promise<Viewpoint | undefined> {
  const commit = await readCommit(store, ref.peeledOid === "" ? ref.oid : ref.peeledOid);
  return commit && { kind: ref.name.startsWith(branchPrefix) ? "branch" : "tag", rev: shortName(ref.name), commit };
}
