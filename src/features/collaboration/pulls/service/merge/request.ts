import type { BuiltStyle } from "./build.ts";

export interface MergeRequest {
  readonly style: BuiltStyle;
  /** Empty: the customary one. */
  readonly title: string;
  readonly message: string;
  /** The head that the caller has seen; empty: whichever it is. */
  readonly expectedHeadOid: string;
  /** Null: as the repository has it. */
  readonly deletesBranch: boolean | null;
  /** What the rules want is set aside, by those who may. */
  readonly isForced: boolean;
}
