import type { Oid } from "../../../git/types.ts";
import type { FoundPull } from "./model.ts";

/** What conflicts between the head of a pull request and its base. */
export interface Conflicts {
  readonly pull: FoundPull;
  readonly baseOid: Oid;
  readonly headOid: Oid;
  /** Those that are resolved as texts, in git's order. */
  readonly files: readonly ConflictedFile[];
  /** Those of which one side is taken as it is: deleted on the other one, no text, too large. */
  readonly sided: readonly SidedFile[];
  /** Those that are neither: a file here and a folder there. With any of them, the conflict is resolved elsewhere. */
  readonly others: readonly string[];
}

export type ConflictSide = "head" | "base";

export interface SidedFile {
  readonly path: string;
  /** Whether each side has it. */
  readonly isThere: Readonly<Record<ConflictSide, boolean>>;
}

export interface ConflictedFile {
  readonly path: string;
  /** With markers around what conflicts. */
  readonly text: string;
}

/** A line with which git begins or ends what conflicts (git-merge, HOW CONFLICTS ARE PRESENTED). */
export const hasMarkers = (text: string): boolean => /^(?:<{7}|>{7})(?: |$)/m.test(text);
