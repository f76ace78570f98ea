import type { Commit, FileMode, ObjectType, Oid } from "../../../git/types.ts";
import type { SignatureVerdict } from "../../accounts/keys/model.ts";
import type { UserView } from "../../accounts/users/model.ts";

/** What a commit changed, compared with its first parent. */
export interface CommitChanges {
  readonly additions: number;
  readonly deletions: number;
  /** A moved file is one that was removed and one that was added. */
  readonly files: readonly ChangedPath[];
}

export interface ChangedPath {
  readonly path: string;
  readonly status: "added" | "modified" | "removed";
}

export interface CommitView {
  readonly commit: Commit;
  /** Undefined for a commit that is not signed, and where it was not asked for. */
  readonly verdict: SignatureVerdict | undefined;
  /** Undefined when the address is nobody's here, or the user hides from the caller. */
  readonly author: UserView | undefined;
  readonly committer: UserView | undefined;
  /** Undefined where they were not asked for. */
  readonly changes: CommitChanges | undefined;
}

/** What a caller wants to see of commits. */
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
  /** Newest first; the newest of them where there are very many. */
  readonly commits: readonly CommitView[];
}

export interface NoteView {
  readonly message: string;
  /** The commit of the notes' own history that wrote it. */
  readonly commit: CommitView;
}

export interface TreePage {
  /** The commit or tree that was asked for. */
  readonly oid: Oid;
  readonly entries: readonly TreePageEntry[];
  readonly page: number;
  readonly total: number;
  /** There is more than this page shows: other pages, or what is too much to be listed. */
  readonly isTruncated: boolean;
}

export interface TreePageEntry {
  readonly path: string;
  readonly mode: FileMode;
  readonly type: Exclude<ObjectType, "tag">;
  readonly oid: Oid;
  /** 0 for what is no file. */
  readonly sizeBytes: number;
}

export interface BlobView {
  readonly oid: Oid;
  readonly sizeBytes: number;
  /** Undefined for a blob that is too large to be given whole. */
  readonly data: Buffer | undefined;
}
