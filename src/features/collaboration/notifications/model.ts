import type { RepositoryView } from "../../repositories/repos/model.ts";

export type ThreadStatus = "unread" | "read" | "pinned";
export const threadStatuses = ["unread", "read", "pinned"] as const satisfies readonly ThreadStatus[];
/** What a thread is about. */
export const subjectTypes = ["issue", "pull", "commit", "repository"] as const;
export type SubjectType = (typeof subjectTypes)[number];

/** What the database holds of a thread: one account's news of one subject. */
export interface ThreadRow {
  readonly id: number;
  readonly accountId: number;
  readonly repoId: number;
  readonly status: ThreadStatus;
  /** When something happened last. */
  readonly updatedMs: number;
  readonly subject: ThreadSubject;
}

export type ThreadSubject = IssueSubject | { readonly type: "commit"; readonly oid: string } | { readonly type: "repository" };

export interface IssueSubject {
  readonly type: "issue" | "pull";
  readonly number: number;
  readonly state: "open" | "closed" | "merged";
  readonly title: string;
  /** The latest comment that was told of; null where there was none, or it is gone. */
  readonly commentId: number | null;
}

export interface ThreadView extends ThreadRow {
  readonly repository: RepositoryView;
}

export interface ThreadFilter {
  /** Only threads of this repository. */
  readonly repoId?: number | undefined;
  /** None: any. */
  readonly statuses: readonly ThreadStatus[];
  /** None: any. */
  readonly subjectTypes: readonly SubjectType[];
  /** Updated at this time or later. */
  readonly sinceMs?: number | undefined;
  /** Updated at this time or earlier. */
  readonly beforeMs?: number | undefined;
}

/** A commit, and when it was pushed whose message names somebody. */
export interface PushedCommit {
  readonly repoId: number;
  readonly oid: string;
  readonly pushedMs: number;
}
