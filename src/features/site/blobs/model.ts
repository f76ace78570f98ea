/** A content that the store of files has taken in. */
export interface StoredFile {
  /** SHA-256, in hex. */
  readonly digest: string;
  readonly sizeBytes: number;
  /** What the store knows this copy of it by. */
  readonly file: string;
}
