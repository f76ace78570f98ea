import type { Static } from "typebox";
import { anything, bool, choice, list, mapOf, nullable, optional, record, text } from "./schema.ts";

export const IssueFormField = record("IssueFormField", {
  type: choice("markdown", "textarea", "input", "dropdown", "checkboxes"),
  id: text(),
  attributes: nullable(mapOf(anything())),
  validations: nullable(mapOf(anything())),
  /** Where the field is visible: in the form, in the created issue, or both. */
  visible: optional(list(choice("form", "content"))),
});
export type IssueFormField = Static<typeof IssueFormField>;

export const IssueTemplate = record("IssueTemplate", {
  name: text(),
  title: text(),
  about: text(),
  labels: nullable(list(text())),
  assignees: nullable(list(text())),
  /** Full name of the branch or tag of issues created from the template. */
  ref: text(),
  /** Markdown; empty for forms. */
  content: text(),
  /** The fields of a form. */
  body: nullable(list(IssueFormField)),
  file_name: text(),
});
export type IssueTemplate = Static<typeof IssueTemplate>;

export const IssueConfigContactLink = record("IssueConfigContactLink", {
  name: text(),
  url: text(),
  about: text(),
});
export type IssueConfigContactLink = Static<typeof IssueConfigContactLink>;

export const IssueConfig = record("IssueConfig", {
  blank_issues_enabled: bool(),
  contact_links: nullable(list(IssueConfigContactLink)),
});
export type IssueConfig = Static<typeof IssueConfig>;

export const IssueConfigValidation = record("IssueConfigValidation", {
  valid: bool(),
  message: text(),
});
export type IssueConfigValidation = Static<typeof IssueConfigValidation>;
