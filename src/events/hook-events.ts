/** Events of webhooks themselves, not caused by users' changes. */
export interface HookEvents {
  /** Deliveries have failed for so long that some were dropped; recorded once, until a delivery succeeds again. */
  "hook.failed": HookFailure;
}

export interface HookFailure {
  readonly hookId: number;
  /** Null: the hook belongs to its owner, not to a repository. */
  readonly repoId: number | null;
  /** The hook's or its repository's owner; null: a system webhook. */
  readonly ownerId: number | null;
  /** `owner/name` of a repository, the name of an account, or empty for a system webhook. */
  readonly ownerName: string;
  /** Host only: receiver URLs may contain secrets. */
  readonly host: string;
  /** The receiver is gone for good; the hook was disabled. */
  readonly isSwitchedOff: boolean;
}
