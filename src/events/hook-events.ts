/** What happens to webhooks besides the changes that people make. */
export interface HookEvents {
  /** What it is told has not arrived for so long that some of it was given up; once, until it takes something again. */
  "hook.failed": HookFailure;
}

export interface HookFailure {
  readonly hookId: number;
  /** Null: it is its owner's. */
  readonly repoId: number | null;
  /** Whose it is, or whose the repository is; null: the server's. */
  readonly ownerId: number | null;
  /** `owner/name` of a repository, the name of an account, or empty for the server's own. */
  readonly ownerName: string;
  /** Whom it calls: addresses of receivers may be secrets. */
  readonly host: string;
  /** The receiver wants no more, and is not called again. */
  readonly isSwitchedOff: boolean;
}
