/** A file that a job kept for later runs. */
export interface Cache {
  readonly id: number;
  readonly repoId: number;
  readonly ref: string;
  readonly version: string;
  readonly key: string;
  /** SHA-256, in hex. */
  readonly digest: string;
  readonly sizeBytes: number;
  readonly createdMs: number;
  readonly usedMs: number;
}

/** With the name of its content in the file store. */
export interface StoredCache extends Cache {
  readonly file: string;
}
