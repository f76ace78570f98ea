/** A push mirror as shown to repository administrators. */
export interface PushMirrorView {
  readonly name: string;
  /** Without credentials. */
  readonly address: string;
  readonly intervalMs: number;
  readonly syncsOnCommit: boolean;
  readonly createdMs: number;
  /** 0 if never synchronized. */
  readonly syncedMs: number;
  /** Empty if the last attempt succeeded. */
  readonly lastError: string;
  /** A `RemoteFailure`; empty if none, or if recorded by an earlier version. */
  readonly failure: string;
}

export type SyncProblem = Pick<PushMirrorView, "lastError" | "failure">;

/** A remote with sealed credentials. */
export interface SealedRemote {
  readonly address: string;
  readonly credentials: string | null;
}
