/** Changes of wikis, page by page where they are made page by page. */
export interface WikiEvents {
  "wiki.created": WikiPageEvent;
  "wiki.edited": WikiPageEvent & { /** The page's name before. */ readonly formerPage: string };
  "wiki.deleted": WikiPageEvent;
  /** Refs of the wiki moved by a push. */
  "wiki.pushed": { readonly repoId: number; readonly storeId: number; readonly total: number };
}

export interface WikiPageEvent {
  readonly repoId: number;
  /** The page's name as addresses have it: `Home-Page`. */
  readonly page: string;
  readonly title: string;
  /** The message of the commit. */
  readonly message: string;
}
