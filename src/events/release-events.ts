/** Releases. What happens to a draft is known to those alone who write releases: `isDraft` says so. */
export interface ReleaseEvents {
  /** Everybody who reads the repository's releases sees it from now on: it was made so, or has been a draft. */
  "release.published": ReleaseEvent;
  /** A draft was made, or a release became one: by an edit, or because its tag is gone (no actor, or whoever deleted that). */
  "release.drafted": ReleaseEvent;
  "release.updated": ReleaseEvent & { readonly formerTagName: string };
  "release.deleted": ReleaseEvent;
}

/** A release as it is after the change; as it was, when it is gone. */
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
