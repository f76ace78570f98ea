import type { Migration } from "./migration.ts";

export const refsByOid: Migration = {
  id: 42,
  name: "no index of refs by what they point to",
  // Whoever asks for that asks for all refs of a store, which the primary key has together; each ref of a fork was written twice for it.
  statements: ["drop index refs_oid"],
};
