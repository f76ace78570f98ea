import type { RepositoryRight } from "../../../access/repository.ts";
import type { Watching } from "../../../core/watching.ts";
import type { ObjectFormat } from "../../../git/types.ts";
import type { UserView } from "../../accounts/users/model.ts";
import type { TeamView } from "../../organizations/orgs/model.ts";
import type { RepositorySettings } from "./settings.ts";

export type TrustModel = "default" | "collaborator" | "committer" | "collaboratorcommitter";

/** A repository with everything that responses contain, as seen by one caller. */
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
  /** The pull mirror settings; undefined if the repository is not a mirror. */
  readonly mirror: { readonly intervalMs: number; readonly syncedMs: number } | undefined;
  readonly isEmpty: boolean;
  readonly isFork: boolean;
  /** The parent of a fork; undefined if it was deleted or is hidden from the caller. */
  readonly parent: RepositoryView | undefined;
  readonly settings: RepositorySettings;
  readonly objectFormat: ObjectFormat;
  readonly defaultBranch: string;
  readonly trustModel: TrustModel;
  readonly avatar: string;
  /** Picture of link previews; empty: none is uploaded. */
  readonly preview: string;
  readonly language: string;
  /** SPDX ids. */
  readonly licenses: readonly string[];
  /** In alphabetical order. */
  readonly topics: readonly string[];
  readonly sizeBytes: number;
  readonly starsCount: number;
  readonly forksCount: number;
  readonly watchersCount: number;
  /** By the actor. */
  readonly isStarred: boolean;
  /** By the actor. */
  readonly watching: Watching;
  readonly branchesCount: number;
  readonly openIssuesCount: number;
  readonly openPullsCount: number;
  readonly releasesCount: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  /** 0 while it is not archived. */
  readonly archivedMs: number;
  /** Set while a transfer is pending. */
  readonly transfer: TransferView | undefined;
  /** The caller's permissions. */
  readonly right: RepositoryRight;
}

/** A pending transfer; users hidden from the caller are null. */
export interface TransferView {
  readonly doer: UserView | null;
  readonly recipient: UserView | null;
  /** Teams of the recipient to be added to the repository. */
  readonly teams: readonly TeamView[];
}

/** A deleted repository that can still be restored. */
export interface DeletedRepositoryView {
  readonly id: number;
  readonly ownerName: string;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly sizeBytes: number;
  readonly deletedMs: number;
  /** The first sweep after this time removes it permanently. */
  readonly keptUntilMs: number;
}

/** A pending transfer of a repository. */
export interface PendingTransfer {
  readonly recipientId: number;
  readonly recipientName: string;
  readonly recipientKind: "user" | "organization";
  /** The recipient was made a collaborator in order to view it. */
  readonly addsCollaborator: boolean;
}

export interface TopicView {
  readonly id: number;
  readonly name: string;
  /** Number of repositories that the caller can read. */
  readonly repoCount: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}
