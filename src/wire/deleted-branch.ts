import type { Static } from "typebox";
import { field, int, nullable, option, record, text, time } from "./schema.ts";
import { User } from "./user.ts";

/** A branch that somebody has deleted and that can be brought back. */
export const DeletedBranch = record("DeletedBranch", {
  id: int(),
  name: text(),
  /** The commit that it led to. */
  commit_id: text(),
  /** Null: nobody of this server. */
  deleted_by: nullable(User),
  deleted_at: time(),
  /** When it is kept no longer, unless many more are deleted before. */
  kept_until: time(),
});
export type DeletedBranch = Static<typeof DeletedBranch>;

export const RestoreBranchOption = option("RestoreBranchOption", {
  /** Another name than it had. */
  name: field("Name", text(), "GitRefName", "MaxSize(100)"),
});
export type RestoreBranchOption = Static<typeof RestoreBranchOption>;
