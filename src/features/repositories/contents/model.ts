import type { Commit, FileMode, Oid } from "../../../git/types.ts";
import type { UserView } from "../../accounts/users/model.ts";
import type { LfsPointer } from "../commits/lfs-pointer.ts";
import type { RevKind } from "../refs/service/resolve.ts";
import type { CombinedState } from "../statuses/model.ts";
import type { NotebookOutput } from "./notebook.ts";

/** The commit at which files are viewed, and the caller's name for it. */
export interface Viewpoint {
  readonly kind: RevKind;
  /** The branch, the tag, or the commit id, possibly abbreviated. */
  readonly rev: string;
  readonly commit: Commit;
}

/** The optional details of entries. */
export interface EntryDetail {
  /** The content, if a single file is requested. */
  readonly content: boolean;
  readonly lfs: boolean;
  readonly lastCommit: boolean;
}

/** A file, directory, symbolic link or submodule at a commit. */
export interface EntryView {
  /** Relative to the repository root. */
  readonly path: string;
  readonly mode: FileMode;
  readonly oid: Oid;
  /** 0 for directories and submodules. */
  readonly sizeBytes: number;
  /** Undefined if not requested, for anything but a file, and for a file that is too large to return. */
  readonly content: Buffer | undefined;
  readonly pointer: LfsPointer | undefined;
  /** The target of a symbolic link. */
  readonly target: string | undefined;
  /** The clone URL of a submodule as written in `.gitmodules`. */
  readonly submoduleUrl: string | undefined;
  readonly lastCommit: Commit | undefined;
}

/**
 * An entry in a directory listing, with the commit that last changed it. Folders that contain nothing but one folder are joined: the path is that of
 * the last of them.
 */
export type DirectoryEntry = Pick<EntryView, "path" | "mode" | "oid" | "lastCommit">;

/** The latest commit of a branch, folder or file as the pages show it. */
export interface ShownCommit {
  readonly commit: Commit;
  /** Undefined if no account has the address, or the account is hidden from the reader. */
  readonly author: UserView | undefined;
  /** Undefined if the commit has no checks. */
  readonly checks: { readonly state: CombinedState; readonly total: number } | undefined;
}

/** A page of a directory's entries. */
export interface DirectoryPage {
  readonly entries: readonly DirectoryEntry[];
  /** Number of entries of the directory. */
  readonly total: number;
  /** The readme of the directory, on its first page. */
  readonly readme: EntryView | undefined;
  /** The commit that last changed the directory. */
  readonly lastCommit: Commit;
}

/** A folder in the tree beside a file. */
export interface SourceFolder {
  readonly nodes: readonly SourceNode[];
  /** Number of entries that are left out. */
  readonly hiddenCount: number;
}

export interface SourceNode {
  readonly name: string;
  readonly path: string;
  readonly mode: FileMode;
  /** Its entries, if it is on the way to the shown file. */
  readonly folder: SourceFolder | undefined;
}

export interface ContentsView {
  readonly at: Viewpoint;
  /** One file, or a page of the entries of a directory, with their number on all pages. */
  readonly found: { readonly file: EntryView } | { readonly directory: readonly EntryView[]; readonly total: number };
}

/** A file to be sent as raw bytes. */
export interface RawFile {
  readonly oid: Oid;
  readonly name: string;
  /** A symbolic link is sent as its target path. */
  readonly isLink: boolean;
}

/** The result of a change of files. */
export interface ChangeView {
  readonly at: Viewpoint;
  /** In the order of the changes; null for deleted files. */
  readonly files: readonly (EntryView | null)[];
}

/** Reads the content, or the part from `start` to `end`, both inclusive. */
export type ReadPart = (part: { readonly start: number; readonly end: number } | undefined) => AsyncIterable<Uint8Array>;

/** Opens the content of a Git LFS pointer; undefined if the repository does not have it. */
export type OpenLargeFile = (repoId: number, pointer: LfsPointer) => Promise<ReadPart | undefined>;

/** A notebook cell as shown on a page. */
export type ShownCell =
  | { readonly kind: "markdown"; readonly html: string }
  | { readonly kind: "raw"; readonly text: string }
  | {
      readonly kind: "code";
      readonly text: string;
      readonly html: string | undefined;
      readonly count: number | undefined;
      readonly outputs: readonly NotebookOutput[];
    };

/** A file as shown on a page, or the reason why it is not shown. */
export type ShownFile =
  | { readonly kind: "rendered"; readonly html: string }
  /** `html` is undefined if no highlighter supports the language. */
  | { readonly kind: "code"; readonly text: string; readonly html: string | undefined; readonly canRender: boolean }
  | { readonly kind: "link"; readonly target: string }
  /** SVG can also be shown as text. */
  | { readonly kind: "image"; readonly isText: boolean }
  | { readonly kind: "notebook"; readonly cells: readonly ShownCell[]; readonly isCut: boolean }
  /** Stored in Git LFS; `isHere` if the server has the content. */
  | { readonly kind: "large" | "large image"; readonly sizeBytes: number; readonly isHere: boolean }
  | { readonly kind: "binary" | "too large" };

/** Consecutive lines that one commit wrote. */
/** The file that lists commits to ignore in a blame, in the form of `blame.ignoreRevsFile` of git. */
export const ignoredRevsFile = ".git-blame-ignore-revs";

/** Steps from the oldest change of a file to the newest. */
export const ageSteps = 5;

export interface BlamedFile {
  readonly ranges: readonly BlameRange[];
  /** Whether commits that the repository lists are left out. */
  readonly ignoredRevs: "none" | "applied" | "bypassed";
}

export interface BlameRange {
  /** Undefined if the commit cannot be read any more. */
  readonly commit: Commit | undefined;
  /** From 0, the oldest changes of the file, to 4, the newest. */
  readonly age: number | undefined;
  readonly startLine: number;
  readonly lines: readonly BlamedLine[];
  /** The file before that commit, under its former path. */
  readonly previous: { readonly oid: Oid; readonly path: string } | undefined;
}

export interface BlamedLine {
  readonly text: string;
  /** Highlighted; undefined for unsupported languages. */
  readonly html: string | undefined;
}
