import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { Attachment } from "./attachment.ts";
import { bool, field, int, list, nullable, option, record, text, time } from "./schema.ts";
import { User } from "./user.ts";

export const Release = record("Release", {
  id: int(),
  tag_name: text(),
  target_commitish: text(),
  name: text(),
  body: text(),
  url: text(),
  html_url: text(),
  tarball_url: text(),
  zipball_url: text(),
  upload_url: text(),
  draft: bool(),
  prerelease: bool(),
  created_at: time(),
  published_at: time(),
  author: nullable(User),
  assets: nullable(list(Attachment)),
});
export type Release = Static<typeof Release>;

export const CreateReleaseOption = option("CreateReleaseOption", {
  tag_name: field("TagName", text(lengths.ref), "Required"),
  /** Target of a new tag if the tag does not exist; the default branch if empty. */
  target_commitish: field("Target", text(lengths.ref)),
  /** Makes a new tag an annotated one. */
  tag_message: field("TagMessage", text(lengths.content)),
  name: field("Title", text(lengths.line)),
  body: field("Note", text(lengths.releaseNote)),
  draft: field("IsDraft", bool()),
  prerelease: field("IsPrerelease", bool()),
});
export type CreateReleaseOption = Static<typeof CreateReleaseOption>;

/** Empty strings leave the field unchanged. */
export const EditReleaseOption = option("EditReleaseOption", {
  tag_name: field("TagName", text(lengths.ref)),
  target_commitish: field("Target", text(lengths.ref)),
  name: field("Title", text(lengths.line)),
  body: field("Note", text(lengths.releaseNote)),
  draft: field("IsDraft", nullable(bool())),
  prerelease: field("IsPrerelease", nullable(bool())),
});
export type EditReleaseOption = Static<typeof EditReleaseOption>;
