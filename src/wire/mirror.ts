import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { bool, field, nullable, option, record, text, time } from "./schema.ts";

export const PushMirror = record("PushMirror", {
  repo_name: text(),
  remote_name: text(),
  remote_address: text(),
  created: time(),
  last_update: nullable(time()),
  last_error: text(),
  interval: text(),
  sync_on_commit: bool(),
});
export type PushMirror = Static<typeof PushMirror>;

export const CreatePushMirrorOption = option("CreatePushMirrorOption", {
  remote_address: field("RemoteAddress", text(lengths.address)),
  remote_username: field("RemoteUsername", text(lengths.line)),
  remote_password: field("RemotePassword", text(lengths.secret)),
  interval: field("Interval", text(lengths.line)),
  sync_on_commit: field("SyncOnCommit", bool()),
});
export type CreatePushMirrorOption = Static<typeof CreatePushMirrorOption>;
