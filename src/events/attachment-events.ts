/** Files that hang on issues and comments. */
export interface AttachmentEvents {
  "attachment.created": AttachmentEvent;
  "attachment.renamed": AttachmentEvent & { readonly formerName: string };
  "attachment.deleted": AttachmentEvent;
}

export interface AttachmentEvent {
  readonly repoId: number;
  readonly issueId: number;
  /** Null: it hangs on the issue itself. */
  readonly commentId: number | null;
  readonly attachmentId: number;
  readonly name: string;
}
