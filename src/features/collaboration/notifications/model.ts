import type { Pictured } from "../../../core/urls.ts";
import type { RepositoryView } from "../../repositories/repos/model.ts";
import type { ThreadReason } from "./reasons.ts";

export type ThreadStatus = "unread" | "read" | "pinned";
export const threadStatuses = ["unread", "read", "pinned"] as const satisfies readonly ThreadStatus[];
/** Subject of a thread. */
export const subjectTypes = ["issue", "pull", "commit", "repository", "release"] as const;
export type SubjectType = (typeof subjectTypes)[number];

/** Subjects of the API. @compat Gitea 1.26 has no threads about releases (notifications/levels.test.ts) */
export const wireSubjectTypes = ["issue", "pull", "commit", "repository"] as const satisfies readonly SubjectType[];

/** Database row of a thread: one account's notifications about one subject. */
export interface ThreadRow {
  readonly id: number;
  readonly accountId: number;
  readonly repoId: number;
  readonly status: ThreadStatus;
  /** The reason of the last update; undefined if it is unknown. */
  readonly reason: ThreadReason | undefined;
  /** Time of the last update. */
  readonly updatedMs: number;
  readonly subject: ThreadSubject;
}

export type ThreadSubject = IssueSubject | ReleaseSubject | { readonly type: "commit"; readonly oid: string } | { readonly type: "repository" };

export interface ReleaseSubject {
  readonly type: "release";
  readonly tagName: string;
  /** The name of the tag if it has no title. */
  readonly title: string;
}

export interface IssueSubject {
  readonly type: "issue" | "pull";
  readonly number: number;
  readonly state: "open" | "closed" | "merged";
  readonly title: string;
  /** The latest comment; null if there was none, or it is deleted. */
  readonly commentId: number | null;
}

/** The latest news in a thread. */
export interface LatestNews {
  readonly author: Pictured;
  /** The beginning of the latest comment; empty without one. */
  readonly content: string;
}

export interface ThreadView extends ThreadRow {
  readonly repository: RepositoryView;
}

export interface ThreadFilter {
  /** Only these threads. */
  readonly ids?: readonly number[] | undefined;
  /** Only threads of this repository. */
  readonly repoId?: number | undefined;
  /** Empty: any. */
  readonly statuses: readonly ThreadStatus[];
  /** Empty: any. */
  readonly subjectTypes: readonly SubjectType[];
  /** Updated at or after this time. */
  readonly sinceMs?: number | undefined;
  /** Updated at or before this time. */
  readonly beforeMs?: number | undefined;
}

/** A published release. */
export interface ReleaseNews {
  readonly repoId: number;
  readonly releaseId: number;
  /** The publisher, who is not notified; null: the server. */
  readonly actorId: number | null;
}

/** A commit that mentions users, with the time of its push. */
export interface PushedCommit {
  readonly repoId: number;
  readonly oid: string;
  readonly pushedMs: number;
}
