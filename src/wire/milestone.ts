import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { choice, field, int, nullable, option, record, text, time, usually } from "./schema.ts";

export const Milestone = record("Milestone", {
  id: int(),
  title: text(),
  description: text(),
  state: choice("open", "closed"),
  open_issues: int(),
  closed_issues: int(),
  created_at: time(),
  updated_at: nullable(time()),
  closed_at: nullable(time()),
  due_on: nullable(time()),
});
export type Milestone = Static<typeof Milestone>;

export const CreateMilestoneOption = option("CreateMilestoneOption", {
  title: field("Title", text(lengths.line)),
  description: field("Description", text(lengths.milestoneDescription)),
  due_on: field("Deadline", nullable(time())),
  state: field("State", usually("open", "closed")),
});
export type CreateMilestoneOption = Static<typeof CreateMilestoneOption>;

export const EditMilestoneOption = option("EditMilestoneOption", {
  title: field("Title", text(lengths.line)),
  description: field("Description", nullable(text(lengths.milestoneDescription))),
  state: field("State", nullable(usually("open", "closed"))),
  due_on: field("Deadline", nullable(time())),
});
export type EditMilestoneOption = Static<typeof EditMilestoneOption>;
