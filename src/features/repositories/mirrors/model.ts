/** What a repository is pushed to, as whoever administers it sees it. */
export interface PushMirrorView {
  readonly name: string;
  /** Without credentials. */
  readonly address: string;
  readonly intervalMs: number;
  readonly syncsOnCommit: boolean;
  readonly createdMs: number;
  /** 0: never. */
  readonly syncedMs: number;
  /** Empty when the last time went well. */
  readonly lastError: string;
}

/** Where a repository is fetched from or pushed to, with the credentials sealed. */
export interface SealedRemote {
  readonly address: string;
  readonly credentials: string | null;
}
