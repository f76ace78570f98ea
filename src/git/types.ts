/** Lower-case hex: 40 digits (SHA-1) or 64 (SHA-256). */
export type Oid = string;
export type ObjectFormat = "sha1" | "sha256";
export type ObjectType = "commit" | "tree" | "blob" | "tag";

export interface GitObject {
  readonly oid: Oid;
  readonly type: ObjectType;
  readonly data: Buffer;
}

export interface ObjectInfo {
  readonly oid: Oid;
  readonly type: ObjectType;
  readonly sizeBytes: number;
}

/** An author, committer or tagger line. `timeMs` can lie outside the range of Date; `offsetMinutes` is east of UTC. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  readonly seconds: number;
  readonly offsetMinutes: number;
}

export interface Commit {
  readonly oid: Oid;
  readonly treeOid: Oid;
  readonly parentOids: readonly Oid[];
  readonly author: Signature;
  readonly committer: Signature;
  /** Decoded by the `encoding` header if there is one, else as UTF-8 with replacement; with its final newline. */
  readonly message: string;
  /** Content of the `gpgsig` header; empty if unsigned. */
  readonly signature: string;
  /** The signed bytes as text; empty if unsigned. */
  readonly signedPayload: string;
  /** The signed bytes, if they are not the UTF-8 of the text. */
  readonly signedBytes: Buffer | undefined;
}

export interface Tag {
  readonly oid: Oid;
  readonly targetOid: Oid;
  readonly targetType: ObjectType;
  readonly name: string;
  readonly tagger: Signature | undefined;
  readonly message: string;
  readonly signature: string;
  readonly signedPayload: string;
  readonly signedBytes: Buffer | undefined;
}

/** Six digits: `040000`, `100644`, `100755`, `120000`, `160000`. */
export type FileMode = "040000" | "100644" | "100755" | "120000" | "160000";

export interface TreeEntry {
  readonly mode: FileMode;
  /** The name as a string; bytes that are not UTF-8 use a reversible escape (see `names.ts`). */
  readonly name: string;
  readonly oid: Oid;
}
