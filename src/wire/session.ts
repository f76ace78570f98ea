import type { Static } from "typebox";
import { bool, int, record, text, time } from "./schema.ts";

/** A browser in which the caller is signed in. */
export const Session = record("Session", {
  id: int(),
  address: text(),
  user_agent: text(),
  created_at: time(),
  last_seen_at: time(),
  expires_at: time(),
  /** The one that asks. */
  current: bool(),
});
export type Session = Static<typeof Session>;
