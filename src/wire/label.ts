import type { Static } from "typebox";
import { bool, field, int, nullable, option, record, text } from "./schema.ts";

export const Label = record("Label", {
  id: int(),
  name: text(),
  exclusive: bool(),
  is_archived: bool(),
  /** Six lower-case hex digits without `#`. */
  color: text(),
  description: text(),
  url: text(),
});
export type Label = Static<typeof Label>;

export const CreateLabelOption = option("CreateLabelOption", {
  name: field("Name", text(), "Required"),
  exclusive: field("Exclusive", bool()),
  color: field("Color", text(), "Required"),
  description: field("Description", text()),
  is_archived: field("IsArchived", bool()),
});
export type CreateLabelOption = Static<typeof CreateLabelOption>;

export const EditLabelOption = option("EditLabelOption", {
  name: field("Name", nullable(text())),
  exclusive: field("Exclusive", nullable(bool())),
  color: field("Color", nullable(text())),
  description: field("Description", nullable(text())),
  is_archived: field("IsArchived", nullable(bool())),
});
export type EditLabelOption = Static<typeof EditLabelOption>;
