/** Attachments of issues, comments and releases. */
export interface AttachmentEvents {
  "attachment.created": AttachmentEvent;
  "attachment.renamed": AttachmentEvent & { readonly formerName: string };
  "attachment.deleted": AttachmentEvent;
}

export interface AttachmentEvent {
  readonly repoId: number;
  /** Null: attached to a release. */
  readonly issueId: number | null;
  /** Null: attached to the issue itself, or to a release. */
  readonly commentId: number | null;
  readonly releaseId: number | null;
  readonly attachmentId: number;
  readonly name: string;
}
