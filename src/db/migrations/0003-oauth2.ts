import type { Migration } from "./migration.ts";

export const oauth2: Migration = {
  id: 3,
  name: "OAuth2",
  statements: [
    // Without an account: built into the server. Without a secret: a public client.
    `create table oauth2_applications (
      id {id},
      account_id {int} references accounts (id) on delete cascade,
      name {text} not null,
      client_id {text} not null,
      secret_hash {text} not null,
      is_confidential {int} not null,
      skips_consent {int} not null,
      redirect_uris {text} not null,
      created_ms {int} not null,
      updated_ms {int} not null
    ) {table}`,
    "create unique index oauth2_applications_client on oauth2_applications (client_id)",
    "create index oauth2_applications_account on oauth2_applications (account_id, id)",

    // Clients with built-in ids, which are the same on every server with this API.
    `insert into oauth2_applications (account_id, name, client_id, secret_hash, is_confidential, skips_consent, redirect_uris, created_ms, updated_ms) values
      (null, 'git-credential-oauth', 'a4792ccc-144e-407e-86c9-5e7d8d9c3269', '', 0, 0, '["http://127.0.0.1","http://[::1]"]', 0, 0),
      (null, 'Git Credential Manager', 'e90ee53c-94e2-48ac-9358-a874fb9e0662', '', 0, 0, '["http://127.0.0.1","http://[::1]"]', 0, 0),
      (null, 'tea', 'd57cb8c4-630c-4168-8324-ec79935e18d4', '', 0, 0, '["http://127.0.0.1","http://[::1]"]', 0, 0)`,

    // The consent of a user, one per application.
    `create table oauth2_grants (
      id {id},
      account_id {int} not null references accounts (id) on delete cascade,
      application_id {int} not null references oauth2_applications (id) on delete cascade,
      scopes {text} not null,
      created_ms {int} not null,
      updated_ms {int} not null
    ) {table}`,
    "create unique index oauth2_grants_account on oauth2_grants (account_id, application_id)",
    "create index oauth2_grants_application on oauth2_grants (application_id)",

    // An authorization code and the tokens issued for it, which are revoked together.
    `create table oauth2_families (
      id {id},
      grant_id {int} not null references oauth2_grants (id) on delete cascade,
      code_hash {text} not null,
      redirect_uri {text} not null,
      challenge {text} not null,
      challenge_method {text} not null,
      nonce {text} not null,
      scopes {text} not null,
      signed_in_ms {int} not null,
      generation {int} not null,
      created_ms {int} not null,
      expires_ms {int} not null
    ) {table}`,
    "create unique index oauth2_families_code on oauth2_families (code_hash)",
    "create index oauth2_families_grant on oauth2_families (grant_id)",
    "create index oauth2_families_expiry on oauth2_families (expires_ms)",
  ],
};
