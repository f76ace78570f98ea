import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
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
  name: field("Name", text(lengths.line), "Required"),
  exclusive: field("Exclusive", bool()),
  color: field("Color", text(lengths.line), "Required"),
  description: field("Description", text(lengths.labelDescription)),
  is_archived: field("IsArchived", bool()),
});
export type CreateLabelOption = Static<typeof CreateLabelOption>;

export const EditLabelOption = option("EditLabelOption", {
  name: field("Name", nullable(text(lengths.line))),
  exclusive: field("Exclusive", nullable(bool())),
  color: field("Color", nullable(text(lengths.line))),
  description: field("Description", nullable(text(lengths.labelDescription))),
  is_archived: field("IsArchived", nullable(bool())),
});
export type EditLabelOption = Static<typeof EditLabelOption>;
