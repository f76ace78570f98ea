/** Releases. Events of drafts are visible only to users with write access to releases: see `isDraft`. */
export interface ReleaseEvents {
  /** The release is visible to every reader from now on: created as published, or published from a draft. */
  "release.published": ReleaseEvent;
  /**
   * A draft was created, or a release became one: by an edit, or because its tag was deleted (the actor deleted the tag, or there is none).
   */
  "release.drafted": ReleaseEvent;
  "release.updated": ReleaseEvent & { readonly formerTagName: string };
  "release.deleted": ReleaseEvent;
}

/** A release after the change, or before its deletion. */
export interface ReleaseEvent {
  readonly repoId: number;
  readonly releaseId: number;
  readonly tagName: string;
  readonly target: string;
  readonly title: string;
  readonly note: string;
  readonly isDraft: boolean;
  readonly isPrerelease: boolean;
  readonly authorId: number | null;
  readonly createdMs: number;
  readonly publishedMs: number;
}
