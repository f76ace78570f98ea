import type { Static } from "typebox";
import { field, int, nullable, option, record, text, time } from "./schema.ts";
import { User } from "./user.ts";

/** A deleted branch that can be restored. */
export const DeletedBranch = record("DeletedBranch", {
  id: int(),
  name: text(),
  /** The tip at the time of the deletion. */
  commit_id: text(),
  /** Null if the branch was not deleted by a user of this server. */
  deleted_by: nullable(User),
  deleted_at: time(),
  /** Expiry of the entry. It may expire earlier if many more branches are deleted. */
  kept_until: time(),
});
export type DeletedBranch = Static<typeof DeletedBranch>;

export const RestoreBranchOption = option("RestoreBranchOption", {
  /** A new name for the restored branch. */
  name: field("Name", text(), "GitRefName", "MaxSize(100)"),
});
export type RestoreBranchOption = Static<typeof RestoreBranchOption>;
