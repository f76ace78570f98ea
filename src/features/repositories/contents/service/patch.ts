import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { applyPatch } from "../../../../git/merge/apply-patch.ts";
import type { CommitInput } from "../file-change.ts";
import type { ChangeView } from "../model.ts";
import { type ChangeDeps, commitChange, viewChange } from "./change.ts";
import { requireCountableTree } from "./tree-size.ts";

export interface PatchChange {
  readonly commit: CommitInput;
  /** As `git diff` writes it. */
  readonly patch: string;
  readonly signal: AbortSignal;
}

/**
 * Applies a patch and commits the outcome. Operation `repoApplyDiffPatch`; no file is shown.
 * @throws ForgeError as `changeFiles`; `invalid` for a patch that cannot be applied
 */
export async function changeByPatch(
  deps: ChangeDeps,
  actor: UserActor,
  repository: RepositorySubject,
  { commit, patch, signal }: PatchChange,
): Promise<ChangeView> {
  const maxBytes = deps.config.repositories.max_file_bytes;
  const made = await commitChange(deps, actor, repository, {
    // @compat the words of it
    commit: { ...commit, message: commit.message.trim() === "" ? "apply-patch" : commit.message },
    plan: async (store, base) => {
      if (base !== undefined) await requireCountableTree(store, base.treeOid);
      return applyPatch(store, { treeOid: base?.treeOid, patch, maxBytes, signal });
    },
  });
  return viewChange(deps, made, []);
}
