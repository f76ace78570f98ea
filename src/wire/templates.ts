import type { Static } from "typebox";
import { bool, record, text } from "./schema.ts";

export const GitignoreTemplateInfo = record("GitignoreTemplateInfo", {
  name: text(),
  source: text(),
});
export type GitignoreTemplateInfo = Static<typeof GitignoreTemplateInfo>;

export const LicensesTemplateListEntry = record("LicensesTemplateListEntry", {
  key: text(),
  name: text(),
  url: text(),
});
export type LicensesTemplateListEntry = Static<typeof LicensesTemplateListEntry>;

export const LicenseTemplateInfo = record("LicenseTemplateInfo", {
  key: text(),
  name: text(),
  url: text(),
  implementation: text(),
  body: text(),
});
export type LicenseTemplateInfo = Static<typeof LicenseTemplateInfo>;

export const LabelTemplate = record("LabelTemplate", {
  name: text(),
  exclusive: bool(),
  /** Six hex digits without `#`. */
  color: text(),
  description: text(),
});
export type LabelTemplate = Static<typeof LabelTemplate>;
