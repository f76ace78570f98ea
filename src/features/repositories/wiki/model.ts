import type { Commit, GrepResult } from "../../../git/types.ts";
import type { PageName } from "./page-name.ts";

/** Maximum number of pages in the list beside a page. */
export const maxListedPages = 100;

/** A version of a page. */
export interface WikiRevision {
  readonly commit: Commit;
  readonly content: Buffer;
}

/** A page in lists. */
export interface WikiPageView extends PageName {
  /** The last commit that changed it. */
  readonly commit: Commit;
}

export interface WikiPageDetails extends WikiPageView {
  readonly content: Buffer;
  /** Number of commits that changed it. */
  readonly commitCount: number;
  /** The pages of the wiki, without its sidebar and footer, up to {@link maxListedPages}. */
  readonly pages: readonly PageName[];
  /** Number of these pages without the limit. */
  readonly pagesCount: number;
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

/** A page with a text in its title or its lines. */
export interface FoundPage {
  readonly page: PageName;
  /** The first lines with the text. */
  readonly lines: readonly string[];
}

export interface FoundPages {
  readonly pages: readonly FoundPage[];
  /** Whether there may be others. */
  readonly end: GrepResult["end"];
}

/** Shorter texts are not searched for. */
export const minSearchLength = 2;
