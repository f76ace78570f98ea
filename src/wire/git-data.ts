import type { Static } from "typebox";
import { bool, int, list, nullable, optional, record, text } from "./schema.ts";

export const GitObject = record("GitObject", {
  type: text(),
  sha: text(),
  url: text(),
});
export type GitObject = Static<typeof GitObject>;

export const Reference = record("Reference", {
  ref: text(),
  url: text(),
  object: nullable(GitObject),
});
export type Reference = Static<typeof Reference>;

export const GitEntry = record("GitEntry", {
  path: text(),
  /** Six digits. */
  mode: text(),
  type: text<"blob" | "tree" | "commit">(),
  size: int(),
  sha: text(),
  url: text(),
});
export type GitEntry = Static<typeof GitEntry>;

export const GitTreeResponse = record("GitTreeResponse", {
  sha: text(),
  url: text(),
  tree: nullable(list(GitEntry)),
  truncated: bool(),
  page: int(),
  total_count: int(),
});
export type GitTreeResponse = Static<typeof GitTreeResponse>;

export const GitBlobResponse = record("GitBlobResponse", {
  content: nullable(text()),
  encoding: nullable(text()),
  url: text(),
  sha: text(),
  size: int(),
  lfs_oid: optional(text()),
  lfs_size: optional(int()),
});
export type GitBlobResponse = Static<typeof GitBlobResponse>;
