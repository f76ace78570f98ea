import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { applyPatch } from "../../../../git/merge/apply-patch.ts";
import type { CommitInput } from "../file-change.ts";
import type { ChangeView } from "../model.ts";
import { type ChangeDeps, commitChange, viewChange } from "./change.ts";
import { requireCountableTree } from "./tree-size.ts";

export interface PatchChange {
  readonly commit: CommitInput;
  /** In the format of `git diff`. */
  readonly patch: string;
  readonly signal: AbortSignal;
}

/**
 * Applies a patch and commits the result. Operation `repoApplyDiffPatch`; the result contains no files.
 * @throws ForgeError as `changeFiles`; `invalid` for a patch that does not apply
 */
export async function changeByPatch(
  deps: ChangeDeps,
  actor: UserActor,
  repository: RepositorySubject,
  { commit, patch, signal }: PatchChange,
): Promise<ChangeView> {
  const maxBytes = deps.config.repositories.max_file_bytes;
  const made = await commitChange(deps, actor, repository, {
    // @compat Gitea's default message (contents/patch.test.ts)
    commit: { ...commit, message: commit.message.trim() === "" ? "apply-patch" : commit.message },
    plan: async (store, base) => {
      if (base !== undefined) await requireCountableTree(store, base.treeOid);
      return applyPatch(store, { treeOid: base?.treeOid, patch, maxBytes, signal });
    },
  });
  return viewChange(deps, made, []);
}
