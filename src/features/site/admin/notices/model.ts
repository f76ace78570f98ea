export const noticeKinds = ["job_failed", "mirror_failed", "hook_failed", "hook_deactivated", "store_damaged"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** The values of the sentence about a failure. */
export interface NoticeDetails {
  /** The kind of a job, the address of a mirror, the host of a webhook, or the number of a store. */
  readonly subject: string;
  /** The message of the failure, or empty. */
  readonly message: string;
  /** The affected repository or account, by its present or former name; empty if there is none. */
  readonly owner: string;
}

export interface NewNotice extends NoticeDetails {
  readonly kind: NoticeKind;
  readonly createdMs: number;
}

/** A failure that administrators should know. */
export interface NoticeView extends NewNotice {
  readonly id: number;
}
