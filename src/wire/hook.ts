import type { Static } from "typebox";
import { counts, lengths } from "../core/lengths.ts";
import { anything, bool, choice, field, int, list, mapOf, nullable, option, optional, record, text, time, usually } from "./schema.ts";

export const Hook = record("Hook", {
  id: int(),
  name: text(),
  type: text(),
  branch_filter: text(),
  config: nullable(mapOf(text())),
  events: nullable(list(text())),
  /** Only in the response to the request that sets it. */
  authorization_header: text(),
  active: bool(),
  updated_at: time(),
  created_at: time(),
});
export type Hook = Static<typeof Hook>;

export const CreateHookOption = option("CreateHookOption", {
  type: field("Type", usually("dingtalk", "discord", "gitea", "gogs", "msteams", "slack", "telegram", "feishu", "wechatwork", "packagist"), "Required"),
  config: field("Config", nullable(mapOf(text(lengths.address), counts.few)), "Required"),
  events: field("Events", nullable(list(text(lengths.line), counts.names))),
  branch_filter: field("BranchFilter", text(lengths.pattern), "GlobPattern"),
  authorization_header: field("AuthorizationHeader", text(lengths.secret)),
  active: field("Active", bool()),
  name: field("Name", text(), "MaxSize(255)"),
});
export type CreateHookOption = Static<typeof CreateHookOption>;

export const EditHookOption = option("EditHookOption", {
  config: field("Config", nullable(mapOf(text(lengths.address), counts.few))),
  events: field("Events", nullable(list(text(lengths.line), counts.names))),
  branch_filter: field("BranchFilter", text(lengths.pattern), "GlobPattern"),
  /** Absent or empty: removes the header. */
  authorization_header: field("AuthorizationHeader", text(lengths.secret)),
  active: field("Active", nullable(bool())),
  name: field("Name", nullable(text()), "MaxSize(255)"),
});
export type EditHookOption = Static<typeof EditHookOption>;

export const GitHook = record("GitHook", { name: text(), is_active: bool(), content: optional(text()) });

export const EditGitHookOption = option("EditGitHookOption", { content: field("Content", text(lengths.key)) });

/** The state of a webhook delivery. */
export const HookDelivery = record("HookDelivery", {
  id: int(),
  /** Identifies the delivery for the receiver; the same for every attempt. */
  uuid: text(),
  /** Counted per webhook; null until the payload is written. */
  sequence: nullable(int()),
  event: text(),
  event_type: text(),
  status: choice("waiting", "refused", "delivered", "failed", "kept"),
  attempts: int(),
  /** Null: no further attempt. */
  next_attempt_at: nullable(time()),
  attempted_at: nullable(time()),
  response_status: nullable(int()),
  response_body: nullable(text()),
  error: nullable(text()),
  duration_ms: nullable(int()),
  created_at: time(),
  /** Only for a single delivery. */
  payload: optional(text()),
});
export type HookDelivery = Static<typeof HookDelivery>;

/** An event for a webhook to fetch. */
export const HookEvent = record("HookEvent", {
  sequence: int(),
  uuid: text(),
  event: text(),
  event_type: text(),
  created_at: time(),
  payload: anything(),
});
export type HookEvent = Static<typeof HookEvent>;
