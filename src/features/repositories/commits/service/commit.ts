import type { Readable } from "node:stream";
import { invalid, notFound } from "../../../../core/errors.ts";
import { isListable } from "../../../../git/history/diff-size.ts";
import { readCommit } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Commit } from "../../../../git/types.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { isRevision, resolveRev } from "../../refs/service/resolve.ts";
import type { CommitView } from "../model.ts";
import { streamChangesText, type TextDeps } from "./changes-text.ts";
import { type CommitDeps, type Viewing, viewCommits } from "./loaders.ts";

/** Undefined if the commit does not exist. @throws ForgeError `invalid` for an invalid name */
export async function lookUpCommit(deps: CommitDeps, store: GitStore, rev: string): Promise<Commit | undefined> {
  if (!isRevision(rev)) throw invalid(`no valid ref or sha: ${rev}`, { reason: "target_not_found" });
  const found = await resolveRev(deps, store, rev);
  return found && readCommit(store, found.commitOid);
}

/** @throws ForgeError `invalid` for an invalid name, `not_found` */
async function findCommit(deps: CommitDeps, store: GitStore, rev: string): Promise<Commit> {
  const commit = await lookUpCommit(deps, store, rev);
  if (commit === undefined) throw notFound(`commit doesn't exist: ${rev}`);
  return commit;
}

/** One commit, by branch, tag or id. @throws ForgeError as {@link findCommit} */
export async function getCommit(deps: CommitDeps, viewing: Viewing, rev: string): Promise<CommitView> {
  const commit = await findCommit(deps, codeStore(deps, viewing.repository), rev);
  const [view] = await viewCommits(deps, viewing, [commit]);
  return view as CommitView;
}

/**
 * Streams the changes of a commit compared with its first parent, as a diff or as a patch for `git am`. The patch of a merge contains the
 * patches of the merged commits.
 * @throws ForgeError as {@link findCommit}; `invalid` for a commit with too many changes
 */
export async function streamCommitText(
  deps: CommitDeps & TextDeps,
  { repository, signal }: Omit<Viewing, "detail">,
  rev: string,
  form: "diff" | "patch",
): Promise<Readable> {
  const store = codeStore(deps, repository);
  const commit = await findCommit(deps, store, rev);
  if (!(await isListable(store, commit))) throw invalid(`commit ${commit.oid} has too many changes to be shown as text`, { reason: "diff_too_large" });
  return streamChangesText(deps, store, { fromOid: commit.parentOids[0], toOid: commit.oid, form, signal });
}
