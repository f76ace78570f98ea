import type { Oid } from "../../git/types.ts";
import type { FoundPull } from "./view.ts";

/** What conflicts between the head of a pull request and its base. */
export interface Conflicts {
  readonly pull: FoundPull;
  readonly baseOid: Oid;
  readonly headOid: Oid;
  /** Those that are resolved as texts, in git's order. */
  readonly files: readonly ConflictedFile[];
  /** Those that are not: deleted on one side, no text, too large. With any of them, the conflict is resolved elsewhere. */
  readonly others: readonly string[];
}

export interface ConflictedFile {
  readonly path: string;
  /** With markers around what conflicts. */
  readonly text: string;
}

/** A line with which git begins or ends what conflicts (git-merge, HOW CONFLICTS ARE PRESENTED). */
export const hasMarkers = (text: string): boolean => /^(?:<{7}|>{7})(?: |$)/m.test(text);
