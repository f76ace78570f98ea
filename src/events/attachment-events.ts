/** Files that hang on issues, comments and releases. */
export interface AttachmentEvents {
  "attachment.created": AttachmentEvent;
  "attachment.renamed": AttachmentEvent & { readonly formerName: string };
  "attachment.deleted": AttachmentEvent;
}

export interface AttachmentEvent {
  readonly repoId: number;
  /** Null: it hangs on a release. */
  readonly issueId: number | null;
  /** Null: it hangs on the issue itself, or on a release. */
  readonly commentId: number | null;
  readonly releaseId: number | null;
  readonly attachmentId: number;
  readonly name: string;
}
