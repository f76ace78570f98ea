import type { Oid } from "../../../git/types.ts";
import type { FoundPull } from "./model.ts";

/** Conflicts between the head of a pull request and its base. */
export interface Conflicts {
  readonly pull: FoundPull;
  readonly baseOid: Oid;
  readonly headOid: Oid;
  /** Conflicts to resolve as text, in git's order. */
  readonly files: readonly ConflictedFile[];
  /** Conflicts to resolve by choosing a side: one side deleted the file, is not text, or is too large. */
  readonly sided: readonly SidedFile[];
  /** All other conflicts, such as a file against a folder. With any of them, the conflict must be resolved outside Hearth. */
  readonly others: readonly string[];
}

export type ConflictSide = "head" | "base";

export interface SidedFile {
  readonly path: string;
  /** Whether each side has the file. */
  readonly isThere: Readonly<Record<ConflictSide, boolean>>;
}

export interface ConflictedFile {
  readonly path: string;
  /** With conflict markers. */
  readonly text: string;
}

/** The lines where the conflicts of a text begin, from 1. A conflict has all three markers (git-merge, HOW CONFLICTS ARE PRESENTED). */
export function conflictLines(text: string): number[] {
  const found: number[] = [];
  let start: number | undefined;
  let isDivided = false;
  for (const [at, line] of text.split("\n").entries()) {
    if (start === undefined) {
      if (line.startsWith("<<<<<<<")) start = at + 1;
    } else if (!isDivided) isDivided = line.startsWith("=======");
    else if (line.startsWith(">>>>>>>")) {
      found.push(start);
      start = undefined;
      isDivided = false;
    }
  }
  return found;
}

/** Whether a text has a first or last line of a conflict marker (git-merge, HOW CONFLICTS ARE PRESENTED). */
export const hasMarkers = (text: string): boolean => /^(?:<{7}|>{7})(?: |$)/m.test(text);
