import type { Commit, FileMode, ObjectType, Oid } from "../../../git/types.ts";
import type { SignatureVerdict } from "../../accounts/keys/model.ts";
import type { UserView } from "../../accounts/users/model.ts";

/** The changes of a commit compared with its first parent. */
export interface CommitChanges {
  readonly additions: number;
  readonly deletions: number;
  /** A moved file is listed as one removed and one added file. */
  readonly files: readonly ChangedPath[];
}

export interface ChangedPath {
  readonly path: string;
  readonly status: "added" | "modified" | "removed";
}

export interface CommitView {
  readonly commit: Commit;
  /** Undefined for an unsigned commit, and if not requested. */
  readonly verdict: SignatureVerdict | undefined;
  /** Undefined if no account has the address, or the account is hidden from the caller. */
  readonly author: UserView | undefined;
  readonly committer: UserView | undefined;
  /** Undefined if not requested. */
  readonly changes: CommitChanges | undefined;
}

/** The optional parts of a commit to load. */
export interface CommitDetail {
  readonly stats: boolean;
  readonly files: boolean;
  readonly verification: boolean;
}

export interface Comparison {
  /** The repository of the head. */
  readonly ownerName: string;
  readonly name: string;
  readonly total: number;
  /** Newest first, limited to the newest ones. */
  readonly commits: readonly CommitView[];
}

export interface NoteView {
  readonly message: string;
  /** The commit of the notes ref that wrote the note. */
  readonly commit: CommitView;
}

export interface TreePage {
  /** The requested commit or tree. */
  readonly oid: Oid;
  readonly entries: readonly TreePageEntry[];
  readonly page: number;
  readonly total: number;
  /** There are entries that this page does not list: on other pages, or beyond the limits. */
  readonly isTruncated: boolean;
}

export interface TreePageEntry {
  readonly path: string;
  readonly mode: FileMode;
  readonly type: Exclude<ObjectType, "tag">;
  readonly oid: Oid;
  /** 0 for anything that is not a file. */
  readonly sizeBytes: number;
}

export interface BlobView {
  readonly oid: Oid;
  readonly sizeBytes: number;
  /** Undefined for a blob that is too large to return. */
  readonly data: Buffer | undefined;
}
