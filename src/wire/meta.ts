import type { Static } from "typebox";
import { anything, bool, int, list, mapOf, nullable, optional, record, text } from "./schema.ts";

export const ServerVersion = record("ServerVersion", {
  version: text(),
});
export type ServerVersion = Static<typeof ServerVersion>;

export const GeneralAPISettings = record("GeneralAPISettings", {
  max_response_items: int(),
  default_paging_num: int(),
  default_git_trees_per_page: int(),
  /** Bytes; the same applies to `default_max_response_size`. */
  default_max_blob_size: int(),
  default_max_response_size: int(),
});
export type GeneralAPISettings = Static<typeof GeneralAPISettings>;

export const GeneralUISettings = record("GeneralUISettings", {
  default_theme: text(),
  allowed_reactions: nullable(list(text())),
  custom_emojis: nullable(list(text())),
});
export type GeneralUISettings = Static<typeof GeneralUISettings>;

export const GeneralAttachmentSettings = record("GeneralAttachmentSettings", {
  enabled: bool(),
  allowed_types: text(),
  /** MiB. */
  max_size: int(),
  max_files: int(),
});
export type GeneralAttachmentSettings = Static<typeof GeneralAttachmentSettings>;

export const GeneralRepoSettings = record("GeneralRepoSettings", {
  mirrors_disabled: bool(),
  http_git_disabled: bool(),
  migrations_disabled: bool(),
  stars_disabled: bool(),
  time_tracking_disabled: bool(),
  lfs_disabled: bool(),
});
export type GeneralRepoSettings = Static<typeof GeneralRepoSettings>;

export const NodeInfoSoftware = record("NodeInfoSoftware", {
  name: text(),
  version: text(),
  repository: text(),
  homepage: text(),
});
export type NodeInfoSoftware = Static<typeof NodeInfoSoftware>;

export const NodeInfoServices = record("NodeInfoServices", {
  inbound: nullable(list(text())),
  outbound: nullable(list(text())),
});
export type NodeInfoServices = Static<typeof NodeInfoServices>;

export const NodeInfoUsageUsers = record("NodeInfoUsageUsers", {
  total: optional(int()),
  activeHalfyear: optional(int()),
  activeMonth: optional(int()),
});
export type NodeInfoUsageUsers = Static<typeof NodeInfoUsageUsers>;

export const NodeInfoUsage = record("NodeInfoUsage", {
  users: NodeInfoUsageUsers,
  localPosts: optional(int()),
  localComments: optional(int()),
});
export type NodeInfoUsage = Static<typeof NodeInfoUsage>;

/** The server's description for the fediverse (nodeinfo 2.1). */
export const NodeInfo = record("NodeInfo", {
  version: text(),
  software: NodeInfoSoftware,
  protocols: nullable(list(text())),
  services: NodeInfoServices,
  openRegistrations: bool(),
  usage: NodeInfoUsage,
  metadata: mapOf(anything()),
});
export type NodeInfo = Static<typeof NodeInfo>;
