/** Wiki events, one per page if they are made page by page. */
export interface WikiEvents {
  "wiki.created": WikiPageEvent;
  "wiki.edited": WikiPageEvent & { /** Former name of the page. */ readonly formerPage: string };
  "wiki.deleted": WikiPageEvent;
  /** A push updated refs of the wiki. */
  "wiki.pushed": { readonly repoId: number; readonly storeId: number; readonly total: number };
}

export interface WikiPageEvent {
  readonly repoId: number;
  /** The page's name as in URLs: `Home-Page`. */
  readonly page: string;
  readonly title: string;
  /** Commit message. */
  readonly message: string;
}
