import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Reader } from "../../../../db/db.ts";
import { lastChange } from "../../../../db/update-time.ts";

/** The rows of an account, without secrets. */

export interface Writer {
  readonly accountId: number;
  /** Condition on a repository `r`: the account can read it. */
  readonly isReadable: RawBuilder<SqlBool>;
}

export const findAccount = (db: Reader, id: number) =>
  db.sql
    .selectFrom("accounts")
    .select(["id", "name", "full_name", "email", "description", "website", "location", "visibility", "created_ms", "last_login_ms"])
    .select(["language", "theme", "diff_view_style", "hide_email", "hide_activity", "email_notifications", "new_repositories_private"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

export const listEmails = (db: Reader, id: number) =>
  db.sql.selectFrom("account_emails").select(["email", "is_primary", "is_verified"]).where("account_id", "=", id).orderBy("id").execute();

export const listPublicKeys = (db: Reader, id: number) =>
  db.sql
    .selectFrom("public_keys")
    .select(["title", "content", "fingerprint", "created_ms", "last_used_ms"])
    .where("account_id", "=", id)
    .where("is_principal", "=", 0)
    .orderBy("id")
    .execute();

export const listPrincipals = (db: Reader, id: number) =>
  db.sql
    .selectFrom("public_keys")
    .select(["content", "created_ms", "last_used_ms"])
    .where("account_id", "=", id)
    .where("is_principal", "=", 1)
    .orderBy("id")
    .execute();

export const listGpgKeys = (db: Reader, id: number) =>
  db.sql
    .selectFrom("gpg_keys")
    .select(["fingerprint", "content", "is_verified", "key_created_ms"])
    .where("account_id", "=", id)
    .where("primary_id", "is", null)
    .orderBy("id")
    .execute();

export const listTokens = (db: Reader, id: number) =>
  db.sql
    .selectFrom("access_tokens")
    .select(["name", "scopes", "created_ms", "last_used_ms", "expires_ms"])
    .where("account_id", "=", id)
    .orderBy("id")
    .execute();

export const listOrganizations = (db: Reader, id: number) =>
  db.sql
    .selectFrom("organization_members as m")
    .innerJoin("accounts as a", "a.id", "m.org_id")
    .select(["a.name", "m.is_public"])
    .where("m.account_id", "=", id)
    .orderBy("a.name_folded")
    .execute();

export const listFollowed = (db: Reader, id: number) =>
  db.sql
    .selectFrom("follows as f")
    .innerJoin("accounts as a", "a.id", "f.target_id")
    .select(["a.name", "f.created_ms"])
    .where("f.account_id", "=", id)
    .orderBy("a.name_folded")
    .execute();

/** Starred or ignored repositories that the account can read. */
export const listMarked = (db: Reader, by: Writer, table: "stars" | "ignored_repositories") =>
  db.sql
    .selectFrom(sql<{ repo_id: number; account_id: number; created_ms: number }>`${sql.table(table)}`.as("s"))
    .innerJoin("repositories as r", "r.id", "s.repo_id")
    .innerJoin("accounts as o", "o.id", "r.owner_id")
    .select(["o.name as owner", "r.name", "s.created_ms"])
    .where("s.account_id", "=", by.accountId)
    .where(by.isReadable)
    .orderBy("r.id")
    .execute();

/** Watched repositories that the account can read. */
export const listWatched = (db: Reader, by: Writer) =>
  db.sql
    .selectFrom("watches as w")
    .innerJoin("repositories as r", "r.id", "w.repo_id")
    .innerJoin("accounts as o", "o.id", "r.owner_id")
    .select(["o.name as owner", "r.name", "w.created_ms", "w.issues", "w.pulls", "w.releases"])
    .where("w.account_id", "=", by.accountId)
    .where(by.isReadable)
    .orderBy("r.id")
    .execute();

const pageRows = 1_000;

/** The address of a text: without names if the account can no longer read the repository. */
const placeFor = (by: Writer) => sql<string | null>`case when ${by.isReadable} then o.name || '/' || r.name end`.as("place");

/** A page of the issues and pull requests that the account has created. */
export const listIssues = (db: Reader, by: Writer, after: number) =>
  db.sql
    .selectFrom("issues as i")
    .innerJoin("repositories as r", "r.id", "i.repo_id")
    .innerJoin("accounts as o", "o.id", "r.owner_id")
    .select(["i.id", "i.number", "i.is_pull", "i.title", "i.content", "i.is_closed", "i.created_ms", lastChange(db, "i").as("updated_ms"), placeFor(by)])
    .where("i.poster_id", "=", by.accountId)
    .where("i.id", ">", after)
    .orderBy("i.id")
    .limit(pageRows)
    .execute();

/** A page of the comments, comments on lines and review texts that the account has written. */
export const listComments = (db: Reader, by: Writer, after: number) =>
  db.sql
    .selectFrom("comments as c")
    .innerJoin("issues as i", "i.id", "c.issue_id")
    .innerJoin("repositories as r", "r.id", "c.repo_id")
    .innerJoin("accounts as o", "o.id", "r.owner_id")
    .select(["c.id", "c.kind", "c.content", "c.created_ms", "c.updated_ms", "i.number", "i.is_pull", placeFor(by)])
    .where("c.poster_id", "=", by.accountId)
    .where("c.kind", "in", ["comment", "code", "review"])
    .where("c.id", ">", after)
    .orderBy("c.id")
    .limit(pageRows)
    .execute();

/** A page of the comments on commits that the account has written. */
export const listCommitComments = (db: Reader, by: Writer, after: number) =>
  db.sql
    .selectFrom("commit_comments as c")
    .innerJoin("repositories as r", "r.id", "c.repo_id")
    .innerJoin("accounts as o", "o.id", "r.owner_id")
    .select(["c.id", "c.commit_oid", "c.content", "c.created_ms", "c.updated_ms", placeFor(by)])
    .where("c.poster_id", "=", by.accountId)
    .where("c.id", ">", after)
    .orderBy("c.id")
    .limit(pageRows)
    .execute();

/** Reads the pages of a list until one is not full. */
export async function* allOf<T extends { readonly id: number }>(read: (after: number) => Promise<readonly T[]>): AsyncGenerator<readonly T[]> {
  for (let after = 0; ; ) {
    const rows = await read(after);
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    after = rows.at(-1)?.id ?? 0;
  }
}
