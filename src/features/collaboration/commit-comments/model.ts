import type { Oid } from "../../../git/types.ts";
import type { UserView } from "../../accounts/users/model.ts";

export interface CommitComment {
  readonly id: number;
  readonly commitOid: Oid;
  /** Null: the account was deleted, or the author has no account. */
  readonly posterId: number | null;
  /** Author at the source of an import; empty: written here. */
  readonly originalAuthor: string;
  readonly content: string;
  readonly contentVersion: number;
  readonly createdMs: number;
}

export interface CommitCommentView extends CommitComment {
  readonly poster: UserView | undefined;
}
