import type { StoredFile } from "../../site/blobs/model.ts";
import type { AttachmentView } from "../issues/model.ts";

/** The parent of a file: an issue, a comment or a release. All null: a pending upload that no text references yet. */
export interface Holder {
  readonly repoId: number;
  /** Null: a release, or a pending upload. */
  readonly issueId: number | null;
  /** Null: the issue itself, or a release. */
  readonly commentId: number | null;
  readonly releaseId: number | null;
}

export interface ReleaseHolder extends Holder {
  readonly tagName: string;
}

/** A file with its parent and its storage key. */
export interface KeptAttachment extends AttachmentView, Holder {
  /** SHA-256 of the content, in hex. */
  readonly digest: string;
  /** Key in the file store. Never exposed. */
  readonly file: string;
}

/** A stored file that no row references yet. */
export interface TakenFile extends StoredFile {
  readonly name: string;
}

/** Which files are accepted. */
export interface FileLimits {
  readonly maxBytes: number;
  /** Accepted extensions such as `.png`; `*` for all. */
  readonly endings: readonly string[];
}
