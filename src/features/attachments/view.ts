import type { AttachmentView } from "../issues/view.ts";

/** A file with where it is kept. */
export interface KeptAttachment extends AttachmentView {
  readonly repoId: number;
  /** What the store of files knows it by; told to nobody. */
  readonly file: string;
}

/** What a file hangs on: an issue, or a comment under it. */
export interface Holder {
  readonly repoId: number;
  readonly issueId: number;
  readonly commentId: number | null;
}

/** A file that the store has taken in and no row names yet. */
export interface TakenFile {
  readonly name: string;
  readonly file: string;
  readonly sizeBytes: number;
}
