import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { CommitMeta, CommitUser, PayloadCommitVerification } from "./commit.ts";
import { field, nullable, option, optional, record, text } from "./schema.ts";

export const Tag = record("Tag", {
  name: text(),
  message: text(),
  /** The tag object, or the commit of a lightweight tag. */
  id: text(),
  commit: nullable(CommitMeta),
  zipball_url: optional(text()),
  tarball_url: optional(text()),
});
export type Tag = Static<typeof Tag>;

export const AnnotatedTagObject = record("AnnotatedTagObject", {
  type: text(),
  url: text(),
  sha: text(),
});
export type AnnotatedTagObject = Static<typeof AnnotatedTagObject>;

export const AnnotatedTag = record("AnnotatedTag", {
  tag: text(),
  sha: text(),
  url: text(),
  message: text(),
  tagger: nullable(CommitUser),
  object: nullable(AnnotatedTagObject),
  verification: nullable(PayloadCommitVerification),
});
export type AnnotatedTag = Static<typeof AnnotatedTag>;

export const CreateTagOption = option("CreateTagOption", {
  tag_name: field("TagName", text(lengths.ref), "Required"),
  /** Absent: a lightweight tag. */
  message: field("Message", text(lengths.content)),
  target: field("Target", text(lengths.ref)),
});
export type CreateTagOption = Static<typeof CreateTagOption>;
