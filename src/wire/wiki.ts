import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { CommitUser } from "./commit.ts";
import { field, int, list, nullable, option, record, text } from "./schema.ts";

export const WikiCommit = record("WikiCommit", {
  sha: text(),
  author: nullable(CommitUser),
  /** @compat Misspelt in Gitea's API (wiki/api.test.ts). */
  commiter: nullable(CommitUser),
  message: text(),
});
export type WikiCommit = Static<typeof WikiCommit>;

export const WikiPageMetaData = record("WikiPageMetaData", {
  title: text(),
  html_url: text(),
  sub_url: text(),
  last_commit: nullable(WikiCommit),
});
export type WikiPageMetaData = Static<typeof WikiPageMetaData>;

export const WikiPage = record("WikiPage", {
  title: text(),
  html_url: text(),
  sub_url: text(),
  last_commit: nullable(WikiCommit),
  content_base64: text(),
  commit_count: int(),
  /** Base64; empty if there is none. */
  sidebar: text(),
  footer: text(),
});
export type WikiPage = Static<typeof WikiPage>;

export const WikiCommitList = record("WikiCommitList", {
  commits: nullable(list(WikiCommit)),
  count: int(),
});
export type WikiCommitList = Static<typeof WikiCommitList>;

export const CreateWikiPageOptions = option("CreateWikiPageOptions", {
  title: field("Title", text(lengths.title)),
  content_base64: field("ContentBase64", text(lengths.file)),
  message: field("Message", text(lengths.content)),
});
export type CreateWikiPageOptions = Static<typeof CreateWikiPageOptions>;
