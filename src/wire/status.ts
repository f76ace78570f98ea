import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { Repository } from "./repository.ts";
import { choice, field, int, list, nullable, option, record, text, time, usually } from "./schema.ts";
import { User } from "./user.ts";

const states = ["pending", "success", "error", "failure", "warning", "skipped"] as const;

export const CommitStatus = record("CommitStatus", {
  id: int(),
  /** One of the described states in most cases: any string is accepted and returned. */
  status: text(),
  target_url: text(),
  description: text(),
  url: text(),
  context: text(),
  creator: nullable(User),
  created_at: time(),
  updated_at: time(),
});
export type CommitStatus = Static<typeof CommitStatus>;

export const CombinedStatus = record("CombinedStatus", {
  state: choice(...states),
  sha: text(),
  total_count: int(),
  statuses: nullable(list(CommitStatus)),
  repository: nullable(Repository),
  commit_url: text(),
  url: text(),
});
export type CombinedStatus = Static<typeof CombinedStatus>;

export const CreateStatusOption = option("CreateStatusOption", {
  state: field("State", usually(...states)),
  target_url: field("TargetURL", text(lengths.address)),
  description: field("Description", text(lengths.statusDescription)),
  context: field("Context", text(lengths.line)),
});
