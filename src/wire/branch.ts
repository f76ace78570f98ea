import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { PayloadCommit } from "./commit.ts";
import { bool, deprecated, field, int, list, nullable, option, record, text } from "./schema.ts";

export const Branch = record("Branch", {
  name: text(),
  commit: nullable(PayloadCommit),
  protected: bool(),
  required_approvals: int(),
  enable_status_check: bool(),
  status_check_contexts: nullable(list(text())),
  user_can_push: bool(),
  user_can_merge: bool(),
  effective_branch_protection_name: text(),
});
export type Branch = Static<typeof Branch>;

export const CreateBranchRepoOption = option("CreateBranchRepoOption", {
  new_branch_name: field("BranchName", text(), "Required", "GitRefName", "MaxSize(100)"),
  old_branch_name: deprecated(field("OldBranchName", text(), "GitRefName", "MaxSize(100)")),
  /** A branch, tag or commit to start from. */
  old_ref_name: field("OldRefName", text(), "GitRefName", "MaxSize(100)"),
});
export type CreateBranchRepoOption = Static<typeof CreateBranchRepoOption>;

export const RenameBranchRepoOption = option("RenameBranchRepoOption", {
  name: field("Name", text(), "Required", "GitRefName", "MaxSize(100)"),
});
export type RenameBranchRepoOption = Static<typeof RenameBranchRepoOption>;

export const UpdateBranchRepoOption = option("UpdateBranchRepoOption", {
  new_commit_id: field("NewCommitID", text(lengths.ref), "Required"),
  old_commit_id: field("OldCommitID", text(lengths.ref)),
  force: field("Force", bool()),
});
export type UpdateBranchRepoOption = Static<typeof UpdateBranchRepoOption>;
