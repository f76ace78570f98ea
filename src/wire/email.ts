import type { Static } from "typebox";
import { counts, lengths } from "../core/lengths.ts";
import { bool, email, field, int, list, nullable, option, record, text } from "./schema.ts";

export const Email = record("Email", {
  email: email(),
  verified: bool(),
  primary: bool(),
  /** 0 in a user's own list. */
  user_id: int(),
  /** Empty in a user's own list. */
  username: text(),
});
export type Email = Static<typeof Email>;

export const CreateEmailOption = option("CreateEmailOption", { emails: field("Emails", nullable(list(text(lengths.line), counts.names))) });
export type CreateEmailOption = Static<typeof CreateEmailOption>;

export const DeleteEmailOption = option("DeleteEmailOption", { emails: field("Emails", nullable(list(text(lengths.line), counts.names))) });
export type DeleteEmailOption = Static<typeof DeleteEmailOption>;

/** One of the caller's own addresses. */
export const OwnEmailOption = option("OwnEmailOption", { email: field("Email", text(lengths.line), "Required") });
export type OwnEmailOption = Static<typeof OwnEmailOption>;
