import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { field, int, option, record, text, time } from "./schema.ts";

/** A file attached to an issue, a comment or a release. */
export const Attachment = record("Attachment", {
  id: int(),
  name: text(),
  size: int(),
  download_count: int(),
  created_at: time(),
  uuid: text(),
  browser_download_url: text(),
});
export type Attachment = Static<typeof Attachment>;

export const EditAttachmentOptions = option("EditAttachmentOptions", {
  name: field("Name", text(lengths.line)),
});
export type EditAttachmentOptions = Static<typeof EditAttachmentOptions>;
