import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { Issue } from "./issue.ts";
import { deprecated, field, int, nullable, option, record, text, time } from "./schema.ts";

export const TrackedTime = record("TrackedTime", {
  id: int(),
  created: time(),
  /** Seconds. */
  time: int(),
  user_id: deprecated(int()),
  user_name: text(),
  issue_id: deprecated(int()),
  issue: nullable(Issue),
});
export type TrackedTime = Static<typeof TrackedTime>;

export const AddTimeOption = option("AddTimeOption", {
  time: field("Time", int(), "Required"),
  created: field("Created", time()),
  user_name: field("User", text(lengths.line)),
});
export type AddTimeOption = Static<typeof AddTimeOption>;

export const StopWatch = record("StopWatch", {
  created: time(),
  seconds: int(),
  duration: text(),
  issue_index: int(),
  issue_title: text(),
  repo_owner_name: text(),
  repo_name: text(),
});
export type StopWatch = Static<typeof StopWatch>;
