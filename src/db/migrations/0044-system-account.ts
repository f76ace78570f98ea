import type { Migration } from "./migration.ts";

/** The account that acts with the tokens of jobs, with the id that Gitea's clients know. Lists of users and organizations omit it. */
export const systemAccount: Migration = {
  id: 44,
  name: "system account",
  statements: [
    `insert into accounts (id, kind, name, name_folded, full_name, email, description, website, location, visibility, avatar, created_ms, updated_ms)
      values (-2, 'system', 'gitea-actions', 'gitea-actions', 'Gitea Actions', '', '', '', '', 'public', '', 0, 0)`,
  ],
};
