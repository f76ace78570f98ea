import type { UserView } from "../../accounts/users/model.ts";
import type { AttachmentView } from "../../collaboration/issues/model.ts";

/** The fields of a release, without author and attachments. */
export interface ReleaseInput {
  readonly repoId: number;
  readonly tagName: string;
  /** The start of the tag if it has to be created; empty for a release of an existing tag. */
  readonly target: string;
  readonly title: string;
  readonly note: string;
  readonly isDraft: boolean;
  readonly isPrerelease: boolean;
  /** Null if the account was deleted, or the release was imported from another server. */
  readonly authorId: number | null;
  readonly createdMs: number;
  /** In whole seconds; for a draft, the creation time. Lists are sorted by it. */
  readonly publishedMs: number;
}

export interface KnownRelease extends ReleaseInput {
  readonly id: number;
}

export interface ReleaseView extends KnownRelease {
  readonly author: UserView | undefined;
  /** Oldest first. */
  readonly assets: readonly AttachmentView[];
}

export interface ReleaseFilter {
  /** Undefined for both. */
  readonly isDraft: boolean | undefined;
  readonly isPrerelease: boolean | undefined;
}

export interface NewRelease {
  readonly tagName: string;
  /** Empty for the default branch. */
  readonly target: string;
  /** Creates a lightweight tag if empty. */
  readonly tagMessage: string;
  readonly title: string;
  readonly note: string;
  readonly isDraft: boolean;
  readonly isPrerelease: boolean;
}

/** Null leaves a field unchanged. */
export interface ReleaseEdit {
  readonly tagName: string | null;
  readonly target: string | null;
  readonly title: string | null;
  readonly note: string | null;
  readonly isDraft: boolean | null;
  readonly isPrerelease: boolean | null;
}
