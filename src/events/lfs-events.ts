/** LFS locks of repositories. */
export interface LfsEvents {
  "lfs_object.created": { readonly repoId: number; readonly oid: string; readonly sizeBytes: number };
  "lfs_lock.created": LfsLockEvent;
  "lfs_lock.deleted": LfsLockEvent & { readonly isForced: boolean };
}

export interface LfsLockEvent {
  readonly repoId: number;
  readonly lockId: number;
  readonly path: string;
  /** Owner of the lock. */
  readonly accountId: number;
}
