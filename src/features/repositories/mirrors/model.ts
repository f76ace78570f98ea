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
}

/** A remote with sealed credentials. */
export interface SealedRemote {
  readonly address: string;
  readonly credentials: string | null;
}
