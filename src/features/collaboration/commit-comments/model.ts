import type { Oid } from "../../../git/types.ts";
import type { UserView } from "../../accounts/users/model.ts";

export interface CommitComment {
  readonly id: number;
  readonly commitOid: Oid;
  /** Null: the account was deleted. */
  readonly posterId: number | null;
  readonly content: string;
  readonly contentVersion: number;
  readonly createdMs: number;
}

export interface CommitCommentView extends CommitComment {
  readonly poster: UserView | undefined;
}
