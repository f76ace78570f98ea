import type { Commit } from "../../../git/types.ts";
import type { PageName } from "./page-name.ts";

/** A page as lists have it. */
export interface WikiPageView extends PageName {
  /** The last that changed it. */
  readonly commit: Commit;
}

export interface WikiPageDetails extends WikiPageView {
  readonly content: Buffer;
  /** How many commits have changed it. */
  readonly commitCount: number;
  readonly sidebar: Buffer;
  readonly footer: Buffer;
}

/** What a page is to become. */
export interface WikiPageInput {
  /** Empty: the one that it has. */
  readonly title: string;
  readonly content: Buffer;
  /** Of the commit; empty for one that tells what was done. */
  readonly message: string;
}
