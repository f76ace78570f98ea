import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { field, nullable, option, record, text, time } from "./schema.ts";
import { User } from "./user.ts";

export const Reaction = record("Reaction", {
  user: nullable(User),
  content: text(),
  created_at: time(),
});
export type Reaction = Static<typeof Reaction>;

export const EditReactionOption = option("EditReactionOption", {
  content: field("Reaction", text(lengths.line)),
});
export type EditReactionOption = Static<typeof EditReactionOption>;
