import type { Reader } from "../../../../../db/db.ts";

export interface IssueText {
  readonly id: number;
  readonly title: string;
  readonly content: string;
}

export interface EntryText {
  readonly id: number;
  readonly kind: string;
  readonly content: string;
}

/** The texts of issues in the order of their ids. */
export const listIssueTexts = (db: Reader, { after, limit }: { readonly after: number; readonly limit: number }): Promise<readonly IssueText[]> =>
  db.sql.selectFrom("issues").select(["id", "title", "content"]).where("id", ">", after).orderBy("id").limit(limit).execute();

/** The texts of timeline entries in the order of their ids. */
export const listEntryTexts = (db: Reader, { after, limit }: { readonly after: number; readonly limit: number }): Promise<readonly EntryText[]> =>
  db.sql.selectFrom("comments").select(["id", "kind", "content"]).where("id", ">", after).orderBy("id").limit(limit).execute();
