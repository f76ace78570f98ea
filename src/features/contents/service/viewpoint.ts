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
  const segments = path.split("/");
  const names = segments.slice(0, maxNameSegments).map((_, index) => segments.slice(0, index + 1).join("/"));
  const prefixes = [kinds.includes("branch") ? branchPrefix : "", kinds.includes("tag") ? tagPrefix : ""].filter((prefix) => prefix !== "");
  const refs = await findRefs(
    deps.db,
    store.id,
    prefixes.flatMap((prefix) => names.map((name) => prefix + name)),
  );
  for (const prefix of prefixes) {
    const ref = names.map((name) => refs.get(prefix + name)).find((found) => found !== undefined);
    const at = ref && (await viewRef(store, ref));
    if (at !== undefined) return { at, path: path.slice(at.rev.length + 1) };
  }
  const [first = ""] = segments;
  const commit = kinds.includes("commit") ? await resolveRev(deps, store, first, ["commit"]) : undefined;
  if (commit === undefined) return undefined;
  return { at: { kind: "commit", rev: first, commit: await requireCommit(store, commit.commitOid) }, path: path.slice(first.length + 1) };
}

/** A tag can lead to something that is no commit; there are no files to be seen then. */
async function viewRef(store: GitStore, ref: RefView): Promise<Viewpoint | undefined> {
  const commit = await readCommit(store, ref.peeledOid === "" ? ref.oid : ref.peeledOid);
  return commit && { kind: ref.name.startsWith(branchPrefix) ? "branch" : "tag", rev: shortName(ref.name), commit };
}
