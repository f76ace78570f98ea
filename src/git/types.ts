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

/** Consecutive lines last changed by the same commit. */
export interface BlamedLines {
  readonly oid: Oid;
  /** Line number in the blamed file, from 1. */
  readonly startLine: number;
  readonly count: number;
  /** Commit and path before this commit; undefined if the commit created the file, or if git quotes the path. */
  readonly previous: { readonly oid: Oid; readonly path: string } | undefined;
}

export interface FoundLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface GrepResult {
  readonly lines: readonly FoundLine[];
  /** `all`: every match was found. `enough`: the limit was reached. `late`: the timeout was reached. */
  readonly end: "all" | "enough" | "late";
}

export interface CountedOids {
  readonly oids: readonly Oid[];
  /** Number of commits on all pages. */
  readonly total: number;
}

/** A page of a history that need not be counted. */
export interface BrowsedPage {
  readonly oids: readonly Oid[];
  /** Number of commits on all pages; undefined if it is not known. */
  readonly total: number | undefined;
  /** Whether a page follows. */
  readonly hasNext: boolean;
}

export type CountedPage = BrowsedPage & CountedOids;

/** Ids of commits, newest first, in binary form: long histories of paths are kept in memory. */
export type PackedOids = Buffer;

/** The files of one directory by language, without those below its folders. */
export interface CountedDirectory {
  readonly files: number;
  /** Bytes. */
  readonly byLanguage: ReadonlyMap<string, number>;
  /** Bytes of headers whose language other files decide. */
  readonly headers: number;
  readonly folders: readonly { readonly name: string; readonly oid: Oid }[];
}
