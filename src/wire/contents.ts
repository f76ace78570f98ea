import type { Static } from "typebox";
import { CommitMeta, CommitUser, PayloadCommitVerification } from "./commit.ts";
import { anything, int, list, nullable, optional, record, text, time } from "./schema.ts";

export const FileLinksResponse = record("FileLinksResponse", {
  self: nullable(text()),
  git: nullable(text()),
  html: nullable(text()),
});
export type FileLinksResponse = Static<typeof FileLinksResponse>;

export const ContentsResponse = record("ContentsResponse", {
  name: text(),
  path: text(),
  sha: text(),
  last_commit_sha: optional(text()),
  last_committer_date: optional(time()),
  last_author_date: optional(time()),
  last_commit_message: optional(text()),
  type: text<"file" | "dir" | "symlink" | "submodule">(),
  size: int(),
  encoding: nullable(text()),
  content: nullable(text()),
  target: nullable(text()),
  url: nullable(text()),
  html_url: nullable(text()),
  git_url: nullable(text()),
  download_url: nullable(text()),
  submodule_git_url: nullable(text()),
  _links: nullable(FileLinksResponse),
  lfs_oid: optional(text()),
  lfs_size: optional(int()),
});
export type ContentsResponse = Static<typeof ContentsResponse>;

export const ContentsExtResponse = record("ContentsExtResponse", {
  file_contents: optional(ContentsResponse),
  dir_contents: optional(list(ContentsResponse)),
});
export type ContentsExtResponse = Static<typeof ContentsExtResponse>;

/** The commit of a change of files. */
export const FileCommitResponse = record("FileCommitResponse", {
  url: text(),
  sha: text(),
  created: time(),
  html_url: text(),
  author: nullable(CommitUser),
  committer: nullable(CommitUser),
  parents: nullable(list(CommitMeta)),
  message: text(),
  tree: nullable(CommitMeta),
});
export type FileCommitResponse = Static<typeof FileCommitResponse>;

export const FileResponse = record("FileResponse", {
  content: nullable(ContentsResponse),
  commit: nullable(FileCommitResponse),
  verification: nullable(PayloadCommitVerification),
});
export type FileResponse = Static<typeof FileResponse>;

/** An entry of `files` is null for a deleted file. */
export const FilesResponse = record("FilesResponse", {
  files: nullable(list(nullable(ContentsResponse))),
  commit: nullable(FileCommitResponse),
  verification: nullable(PayloadCommitVerification),
});
export type FilesResponse = Static<typeof FilesResponse>;

export const FileDeleteResponse = record("FileDeleteResponse", {
  /** Always null. */
  content: nullable(anything()),
  commit: nullable(FileCommitResponse),
  verification: nullable(PayloadCommitVerification),
});
export type FileDeleteResponse = Static<typeof FileDeleteResponse>;
