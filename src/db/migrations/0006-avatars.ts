import type { Migration } from "./migration.ts";

/** Uploaded pictures are found by their names; most accounts and repositories have none. */
export const avatars: Migration = {
  id: 6,
  name: "avatars",
  statements: [
    "create index accounts_avatar on accounts (avatar) where avatar <> ''",
    "create index repositories_avatar on repositories (avatar) where avatar <> ''",
  ],
};
