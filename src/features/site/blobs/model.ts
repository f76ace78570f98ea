/** A content in the file store. */
export interface StoredFile {
  /** SHA-256, in hex. */
  readonly digest: string;
  readonly sizeBytes: number;
  /** The store's name for this copy. */
  readonly file: string;
}
