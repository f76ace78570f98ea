import type { Selectable } from "kysely";
import type { UserActor } from "../../../access/actor.ts";
import type { Page, Paged } from "../../../core/paging.ts";
import { compiled, type Slots } from "../../../db/compiled.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { SessionsTable } from "../../../db/tables/sessions.ts";
import { type ActorAccount, actorColumns, toActorAccount } from "../users/actor-account.ts";
import type { SessionDetails, SessionStage, SessionView } from "./model.ts";

/** A session with the account data needed to act as it. */
export interface SessionRow {
  readonly id: number;
  readonly stage: SessionStage;
  readonly createdMs: number;
  readonly seenMs: number;
  readonly expiresMs: number;
  readonly credentialVersion: number;
  /** The account's credentials are still those of the sign-in. */
  readonly isCurrent: boolean;
  readonly account: ActorAccount & { readonly display: NonNullable<UserActor["display"]> };
}

const selectBySecret = compiled(({ sql }, given: Slots<{ secretHash: string }>) =>
  sql
    .selectFrom("sessions as s")
    .innerJoin("accounts", "accounts.id", "s.account_id")
    .select([
      "s.id",
      "s.stage",
      "s.created_ms",
      "s.seen_ms",
      "s.expires_ms",
      "s.credential_version",
      "accounts.credential_version as account_version",
      ...actorColumns,
      "accounts.avatar",
      "accounts.language",
      "accounts.theme",
      "accounts.diff_view_style",
    ])
    .where("s.secret_hash", "=", given.secretHash),
);

/** One statement. */
export async function findSession(db: Reader, secretHash: string): Promise<SessionRow | undefined> {
  const [row] = await selectBySecret(db, { secretHash });
  return (
    row && {
      id: row.id,
      stage: row.stage,
      createdMs: row.created_ms,
      seenMs: row.seen_ms,
      expiresMs: row.expires_ms,
      credentialVersion: row.credential_version,
      isCurrent: row.credential_version === row.account_version,
      account: { ...toActorAccount(row), display: { avatar: row.avatar, language: row.language, theme: row.theme, diffStyle: row.diff_view_style } },
    }
  );
}

export interface NewSession extends SessionDetails {
  readonly secretHash: string;
  readonly accountId: number;
  /** Undefined: the current version. */
  readonly credentialVersion: number | undefined;
  readonly stage: SessionStage;
  readonly createdMs: number;
  readonly expiresMs: number;
}

/** Binds the session to the account's credentials. @returns its id; undefined if there is no such account with these credentials */
export async function insertSession(tx: Tx, session: NewSession): Promise<number | undefined> {
  const row = await tx.sql
    .insertInto("sessions")
    .columns(["secret_hash", "account_id", "stage", "credential_version", "address", "user_agent", "created_ms", "seen_ms", "expires_ms"])
    .expression((eb) =>
      eb
        .selectFrom("accounts")
        .select((of) => [
          of.val(session.secretHash).as("secret_hash"),
          "accounts.id",
          of.val(session.stage).as("stage"),
          "accounts.credential_version",
          of.val(session.address).as("address"),
          of.val(session.userAgent).as("user_agent"),
          of.val(session.createdMs).as("created_ms"),
          of.val(session.createdMs).as("seen_ms"),
          of.val(session.expiresMs).as("expires_ms"),
        ])
        .where("accounts.id", "=", session.accountId)
        .where((of) => (session.credentialVersion === undefined ? of.lit(true) : of("accounts.credential_version", "=", session.credentialVersion)))
        .where("accounts.kind", "=", "user"),
    )
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

export async function touchSession(tx: Tx, id: number, now: number): Promise<void> {
  await tx.sql.updateTable("sessions").set({ seen_ms: now }).where("id", "=", id).execute();
}

export async function deleteBySecret(tx: Tx, secretHash: string): Promise<void> {
  await tx.sql.deleteFrom("sessions").where("secret_hash", "=", secretHash).execute();
}

/** @returns the number of deleted sessions: 0 or 1 */
export async function deleteSession(tx: Tx, accountId: number, id: number): Promise<number> {
  const { numDeletedRows } = await tx.sql.deleteFrom("sessions").where("id", "=", id).where("account_id", "=", accountId).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** @returns the ids of the deleted sessions */
export async function deleteOthers(tx: Tx, accountId: number, keptId: number): Promise<number[]> {
  const rows = await tx.sql.deleteFrom("sessions").where("account_id", "=", accountId).where("id", "!=", keptId).returning("id").execute();
  return rows.map(({ id }) => id);
}

/** Deletes all but an account's newest sessions. */
export async function deleteBeyond(tx: Tx, accountId: number, kept: number): Promise<void> {
  await tx.sql
    .deleteFrom("sessions")
    .where("account_id", "=", accountId)
    .where("id", "in", (eb) =>
      eb.selectFrom("sessions as o").select("o.id").where("o.account_id", "=", accountId).orderBy("o.id", "desc").limit(1_000_000).offset(kept),
    )
    .execute();
}

/** Deletes expired and unused sessions. */
export async function deleteEnded(tx: Tx, now: number, seenBefore: number): Promise<number> {
  const { numDeletedRows } = await tx.sql
    .deleteFrom("sessions")
    .where((eb) => eb.or([eb("expires_ms", "<=", now), eb("seen_ms", "<=", seenBefore)]))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

const toView = (row: Pick<Selectable<SessionsTable>, "id" | "address" | "user_agent" | "created_ms" | "seen_ms" | "expires_ms">): SessionView => ({
  id: row.id,
  address: row.address,
  userAgent: row.user_agent,
  createdMs: row.created_ms,
  seenMs: row.seen_ms,
  expiresMs: row.expires_ms,
});

/** An account's open sessions that have not ended, newest first. Two statements. */
export async function pageSessions(
  db: Reader,
  accountId: number,
  at: { readonly now: number; readonly seenAfter: number },
  page: Page,
): Promise<Paged<SessionView>> {
  const query = db.sql
    .selectFrom("sessions as s")
    .innerJoin("accounts as a", "a.id", "s.account_id")
    .where("s.account_id", "=", accountId)
    .where("s.stage", "=", "open")
    .where("s.expires_ms", ">", at.now)
    .where("s.seen_ms", ">", at.seenAfter)
    .whereRef("s.credential_version", "=", "a.credential_version");
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await query
    .select(["s.id", "s.address", "s.user_agent", "s.created_ms", "s.seen_ms", "s.expires_ms"])
    .orderBy("s.id", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { total: Number(total), items: rows.map(toView) };
}
