import type { Commit, FileMode, Oid } from "../../../git/types.ts";
import type { LfsPointer } from "../commits/lfs-pointer.ts";
import type { RevKind } from "../refs/service/resolve.ts";
import type { NotebookOutput } from "./notebook.ts";

/** The commit at which files are looked at, and the name by which the caller knows it. */
export interface Viewpoint {
  readonly kind: RevKind;
  /** The branch, the tag, or the first digits of the commit. */
  readonly rev: string;
  readonly commit: Commit;
}

/** What a caller wants to know of entries besides their names. */
export interface EntryDetail {
  /** The content of a file that was asked for by itself. */
  readonly content: boolean;
  readonly lfs: boolean;
  readonly lastCommit: boolean;
}

/** A file, directory, symbolic link or submodule at a commit. */
export interface EntryView {
  /** From the root of the repository. */
  readonly path: string;
  readonly mode: FileMode;
  readonly oid: Oid;
  /** 0 for directories and submodules. */
  readonly sizeBytes: number;
  /** Undefined where it was not asked for, of anything but a file, and of a file that is too large to be given whole. */
  readonly content: Buffer | undefined;
  readonly pointer: LfsPointer | undefined;
  /** Where a symbolic link leads. */
  readonly target: string | undefined;
  /** Where a submodule is cloned from, in the words of `.gitmodules`. */
  readonly submoduleUrl: string | undefined;
  readonly lastCommit: Commit | undefined;
}

/** What stands in a directory of an entry, and the commit that touched it last. */
export type DirectoryEntry = Pick<EntryView, "path" | "mode" | "oid" | "lastCommit">;

/** Some of a directory's entries. */
export interface DirectoryPage {
  readonly entries: readonly DirectoryEntry[];
  /** How many the directory has. */
  readonly total: number;
  /** The file that explains the directory, on its first page. */
  readonly readme: EntryView | undefined;
}

export interface ContentsView {
  readonly at: Viewpoint;
  /** One entry, or all of a directory. */
  readonly found: { readonly file: EntryView } | { readonly directory: readonly EntryView[] };
}

/** A file to be sent as it is. */
export interface RawFile {
  readonly oid: Oid;
  readonly name: string;
  /** A link is sent as the path that it holds. */
  readonly isLink: boolean;
}

/** What a change of files made. */
export interface ChangeView {
  readonly at: Viewpoint;
  /** In the order of the changes; null for what was deleted. */
  readonly files: readonly (EntryView | null)[];
}

/** Reads a content, or the part of it from `start` to `end`, both included. */
export type ReadPart = (part: { readonly start: number; readonly end: number } | undefined) => AsyncIterable<Uint8Array>;

/** Opens what a pointer of git lfs stands for; undefined where the repository does not have it. */
export type OpenLargeFile = (repoId: number, pointer: LfsPointer) => Promise<ReadPart | undefined>;

/** A cell of a notebook as a page shows it. */
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

/** A file as a page shows it, or what keeps it from that. */
export type ShownFile =
  | { readonly kind: "rendered"; readonly html: string }
  /** `html` is undefined where nobody knows how to colour it. */
  | { readonly kind: "code"; readonly text: string; readonly html: string | undefined; readonly canRender: boolean }
  | { readonly kind: "link"; readonly target: string }
  /** A vector graphic is written as text, too. */
  | { readonly kind: "image"; readonly isText: boolean }
  | { readonly kind: "notebook"; readonly cells: readonly ShownCell[]; readonly isCut: boolean }
  /** Kept by git lfs, if its content ever came here. */
  | { readonly kind: "large" | "large image"; readonly sizeBytes: number; readonly isHere: boolean }
  | { readonly kind: "binary" | "too large" };

/** Lines that one commit wrote. */
export interface BlameRange {
  /** Undefined for one that cannot be read any more. */
  readonly commit: Commit | undefined;
  readonly startLine: number;
  readonly lines: readonly BlamedLine[];
  /** The file as it was before that commit, by the name that it had. */
  readonly previous: { readonly oid: Oid; readonly path: string } | undefined;
}

export interface BlamedLine {
  readonly text: string;
  /** Coloured; undefined in a language that nobody colours. */
  readonly html: string | undefined;
}
