import type { StoredFile } from "../../site/blobs/model.ts";
import type { AttachmentView } from "../issues/model.ts";

/** What a file hangs on: an issue, a comment under it, or a release. On none of them: one that waits for the text that it was uploaded for. */
export interface Holder {
  readonly repoId: number;
  /** Null: a release, or nothing yet. */
  readonly issueId: number | null;
  /** Null: the issue itself, or a release. */
  readonly commentId: number | null;
  readonly releaseId: number | null;
}

export interface ReleaseHolder extends Holder {
  readonly tagName: string;
}

/** A file with what it hangs on and where it is kept. */
export interface KeptAttachment extends AttachmentView, Holder {
  /** SHA-256 of its content, in hex. */
  readonly digest: string;
  /** What the store of files knows it by; told to nobody. */
  readonly file: string;
}

/** A file that the store has taken in and no row names yet. */
export interface TakenFile extends StoredFile {
  readonly name: string;
}

/** Which files may hang on something. */
export interface FileLimits {
  readonly maxBytes: number;
  /** Of names, such as `.png`; `*` for all. */
  readonly endings: readonly string[];
}
