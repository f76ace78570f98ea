import type { UserView } from "../../accounts/users/model.ts";
import type { AttachmentView } from "../../collaboration/issues/model.ts";

/** What a release says, without the people and files that belong to it. */
export interface ReleaseInput {
  readonly repoId: number;
  readonly tagName: string;
  /** What the tag is made of where it is missing; empty for a release of a tag that was there. */
  readonly target: string;
  readonly title: string;
  readonly note: string;
  readonly isDraft: boolean;
  readonly isPrerelease: boolean;
  /** Null: the account is gone, or the release was brought here from another server. */
  readonly authorId: number | null;
  readonly createdMs: number;
  /** To the second; for a draft, when it was made. Lists go by it. */
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
  /** Undefined: both. */
  readonly isDraft: boolean | undefined;
  readonly isPrerelease: boolean | undefined;
}

export interface NewRelease {
  readonly tagName: string;
  /** Empty: the default branch. */
  readonly target: string;
  /** Empty: a tag that is made is a lightweight one. */
  readonly tagMessage: string;
  readonly title: string;
  readonly note: string;
  readonly isDraft: boolean;
  readonly isPrerelease: boolean;
}

/** What is null stays as it is. */
export interface ReleaseEdit {
  readonly tagName: string | null;
  readonly target: string | null;
  readonly title: string | null;
  readonly note: string | null;
  readonly isDraft: boolean | null;
  readonly isPrerelease: boolean | null;
}
