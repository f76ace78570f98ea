import type { RepositoryRight } from "../../../access/repository.ts";
import type { ObjectFormat } from "../../../git/types.ts";
import type { UserView } from "../../accounts/users/model.ts";
import type { TeamView } from "../../organizations/orgs/model.ts";
import type { RepositorySettings } from "./settings.ts";

export type TrustModel = "default" | "collaborator" | "committer" | "collaboratorcommitter";

/** A repository with everything that answers show of it, as one caller sees it. */
export interface RepositoryView {
  readonly id: number;
  readonly owner: UserView;
  readonly name: string;
  readonly description: string;
  readonly website: string;
  readonly originalUrl: string;
  readonly isPrivate: boolean;
  readonly isTemplate: boolean;
  readonly isArchived: boolean;
  readonly isMirror: boolean;
  /** How it follows what it is a mirror of; undefined for what is none. */
  readonly mirror: { readonly intervalMs: number; readonly syncedMs: number } | undefined;
  readonly isEmpty: boolean;
  readonly isFork: boolean;
  /** Where a fork comes from; undefined when that is gone or hidden from the caller. */
  readonly parent: RepositoryView | undefined;
  readonly settings: RepositorySettings;
  readonly objectFormat: ObjectFormat;
  readonly defaultBranch: string;
  readonly trustModel: TrustModel;
  readonly avatar: string;
  readonly language: string;
  /** SPDX ids. */
  readonly licenses: readonly string[];
  /** In alphabetical order. */
  readonly topics: readonly string[];
  readonly sizeBytes: number;
  readonly starsCount: number;
  readonly forksCount: number;
  readonly watchersCount: number;
  readonly branchesCount: number;
  readonly openIssuesCount: number;
  readonly openPullsCount: number;
  readonly releasesCount: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  /** 0 while it is not archived. */
  readonly archivedMs: number;
  /** Set while it waits for somebody to take it over. */
  readonly transfer: TransferView | undefined;
  /** What the caller may do with it. */
  readonly right: RepositoryRight;
}

/** Whom a repository is offered to; who hides from the caller is null. */
export interface TransferView {
  readonly doer: UserView | null;
  readonly recipient: UserView | null;
  /** Those of the recipient that are to have it. */
  readonly teams: readonly TeamView[];
}

/** A repository that was deleted and is not gone yet. */
export interface DeletedRepositoryView {
  readonly id: number;
  readonly ownerName: string;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly sizeBytes: number;
  readonly deletedMs: number;
  /** The first sweep behind this time takes it for good. */
  readonly keptUntilMs: number;
}

/** A repository that waits for somebody to take it over. */
export interface PendingTransfer {
  readonly recipientId: number;
  readonly recipientName: string;
  readonly recipientKind: "user" | "organization";
  /** He was made a collaborator so that he can look at it. */
  readonly letsRead: boolean;
}

export interface TopicView {
  readonly id: number;
  readonly name: string;
  /** Repositories that the caller can read. */
  readonly repoCount: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}
