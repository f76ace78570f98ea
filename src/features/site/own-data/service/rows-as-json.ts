import type {
  findAccount,
  listComments,
  listCommitComments,
  listEmails,
  listGpgKeys,
  listIssues,
  listMarked,
  listPrincipals,
  listPublicKeys,
  listTokens,
  listWatched,
} from "../store/rows.ts";

/** Rows of an account as JSON (docs/export.md). */

type Row<List extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<List>> extends readonly (infer R)[] ? R : never;
type Json = Readonly<Record<string, unknown>>;

const time = (ms: number | null): string | null => (ms === null || ms === 0 ? null : new Date(ms).toISOString());

export const presentAccount = (row: Awaited<ReturnType<typeof findAccount>>): Json => ({
  id: row.id,
  login: row.name,
  full_name: row.full_name,
  email: row.email,
  description: row.description,
  website: row.website,
  location: row.location,
  visibility: row.visibility,
  created: time(row.created_ms),
  last_login: time(row.last_login_ms),
  settings: {
    language: row.language,
    theme: row.theme,
    diff_view_style: row.diff_view_style,
    hide_email: row.hide_email === 1,
    hide_activity: row.hide_activity === 1,
    new_repositories_private: row.new_repositories_private === 1,
    email_notifications: row.email_notifications,
  },
});

export const presentEmail = ({ email, is_primary, is_verified }: Row<typeof listEmails>): Json => ({
  email,
  primary: is_primary === 1,
  verified: is_verified === 1,
});

export const presentPublicKey = ({ title, content, fingerprint, created_ms, last_used_ms }: Row<typeof listPublicKeys>): Json => ({
  title,
  key: content,
  fingerprint,
  created_at: time(created_ms),
  last_used_at: time(last_used_ms),
});

export const presentPrincipal = ({ content, created_ms, last_used_ms }: Row<typeof listPrincipals>): Json => ({
  principal: content,
  created_at: time(created_ms),
  last_used_at: time(last_used_ms),
});

export const presentGpgKey = ({ fingerprint, content, is_verified, key_created_ms }: Row<typeof listGpgKeys>): Json => ({
  fingerprint,
  public_key: content,
  verified: is_verified === 1,
  created_at: time(key_created_ms),
});

/** Without the token. */
export const presentToken = ({ name, scopes, created_ms, last_used_ms, expires_ms }: Row<typeof listTokens>): Json => ({
  name,
  scopes: scopes === "" ? [] : scopes.split(","),
  created_at: time(created_ms),
  last_used_at: time(last_used_ms),
  expires_at: time(expires_ms),
});

export const presentMarked = ({ owner, name, created_ms }: Row<typeof listMarked>): Json => ({ repository: `${owner}/${name}`, created_at: time(created_ms) });

export const presentWatched = ({ issues, pulls, releases, ...row }: Row<typeof listWatched>): Json => ({
  ...presentMarked(row),
  issues: issues === 1,
  pull_requests: pulls === 1,
  releases: releases === 1,
});

export const presentIssue = (row: Row<typeof listIssues>): Json => ({
  id: row.id,
  repository: row.place,
  kind: row.is_pull === 1 ? "pull" : "issue",
  number: row.number,
  title: row.title,
  body: row.content,
  state: row.is_closed === 1 ? "closed" : "open",
  created_at: time(row.created_ms),
  updated_at: time(row.updated_ms),
});

const kinds: Readonly<Record<string, string>> = { code: "line_comment", review: "review" };

export const presentComment = (row: Row<typeof listComments>): Json => ({
  id: row.id,
  repository: row.place,
  kind: kinds[row.kind] ?? "comment",
  number: row.number,
  body: row.content,
  created_at: time(row.created_ms),
  updated_at: time(row.updated_ms),
});

export const presentCommitComment = (row: Row<typeof listCommitComments>): Json => ({
  id: row.id,
  repository: row.place,
  commit: row.commit_oid,
  body: row.content,
  created_at: time(row.created_ms),
  updated_at: time(row.updated_ms),
});
