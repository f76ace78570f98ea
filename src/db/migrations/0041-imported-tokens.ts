import type { Migration } from "./migration.ts";

/** Access tokens that another program has hashed with a salt. They are found by their last eight characters until their first use. */
export const importedTokens: Migration = {
  id: 41,
  name: "imported tokens",
  statements: [
    "alter table access_tokens add column token_salt {text}",
    "create index access_tokens_salted on access_tokens (last_eight) where token_salt is not null",
  ],
};
