import type { Static } from "typebox";
import { bool, int, record, text, time } from "./schema.ts";

/** A browser session of the caller. */
export const Session = record("Session", {
  id: int(),
  address: text(),
  user_agent: text(),
  created_at: time(),
  last_seen_at: time(),
  expires_at: time(),
  /** Whether this is the session of the request. */
  current: bool(),
});
export type Session = Static<typeof Session>;
