import type { Commit } from "../../../git/types.ts";
import type { PageName } from "./page-name.ts";

/** A page in lists. */
export interface WikiPageView extends PageName {
  /** The last commit that changed it. */
  readonly commit: Commit;
}

export interface WikiPageDetails extends WikiPageView {
  readonly content: Buffer;
  /** Number of commits that changed it. */
  readonly commitCount: number;
  readonly sidebar: Buffer;
  readonly footer: Buffer;
}

export interface WikiPageInput {
  /** Empty to keep the present title. */
  readonly title: string;
  readonly content: Buffer;
  /** The commit message; empty for a default message. */
  readonly message: string;
}
