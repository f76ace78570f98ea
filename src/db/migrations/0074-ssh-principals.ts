import type { Migration } from "./migration.ts";

/** Principals of SSH certificates are rows like keys, because sessions, passes for LFS and times of use refer to the id of a key. */
export const sshPrincipals: Migration = {
  id: 74,
  name: "principals of SSH certificates",
  statements: ["alter table public_keys add column is_principal {int} not null default 0"],
};
