import type { Static } from "typebox";
import { anything, bool, nullable, record, text, time } from "./schema.ts";

export const WatchInfo = record("WatchInfo", {
  subscribed: bool(),
  ignored: bool(),
  /** Always null. */
  reason: nullable(anything()),
  created_at: time(),
  url: text(),
  repository_url: text(),
});
export type WatchInfo = Static<typeof WatchInfo>;
