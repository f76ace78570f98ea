/** An object as named by requests and pointer files. */
export interface LfsPointer {
  /** SHA-256 of the content, in hex. */
  readonly oid: string;
  readonly sizeBytes: number;
}

export interface LfsObject extends LfsPointer {
  /** Its name in the file store. */
  readonly file: string;
}

export interface LfsLock {
  readonly id: number;
  readonly path: string;
  readonly ownerId: number;
  readonly ownerName: string;
  readonly createdMs: number;
}

export type LfsOperation = "download" | "upload";
export const isLfsOperation = (text: unknown): text is LfsOperation => text === "download" || text === "upload";
