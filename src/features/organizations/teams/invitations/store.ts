import { type RawBuilder, type SqlBool, sql } from "kysely";
import { foldEmail } from "../../../../core/names.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { Invitation, InvitationView } from "./model.ts";

/** Whether the sender `a` of an invitation `i` can still add members. */
const canInvite: RawBuilder<SqlBool> = sql`(a.is_active = 1 and a.prohibit_login = 0 and (a.is_admin = 1 or exists (
  select 1 from teams w join team_members wm on wm.team_id = w.id where w.org_id = i.org_id and w.mode = 'owner' and wm.account_id = a.id)))`;

export interface NewInvitation {
  readonly orgId: number;
  readonly teamId: number;
  readonly inviterId: number;
  readonly email: string;
  readonly codeHash: string;
  readonly sentMs: number;
  readonly expiresMs: number;
}

/** Replaces an invitation of the same address to the same team. */
export async function putInvitation(tx: Tx, { orgId, teamId, inviterId, email, codeHash, sentMs, expiresMs }: NewInvitation): Promise<void> {
  const folded = foldEmail(email);
  await tx.sql.deleteFrom("organization_invitations").where("team_id", "=", teamId).where("folded", "=", folded).execute();
  await tx.sql
    .insertInto("organization_invitations")
    .values({
      org_id: orgId,
      team_id: teamId,
      inviter_id: inviterId,
      email,
      folded,
      code_hash: codeHash,
      sent_ms: sentMs,
      expires_ms: expiresMs,
    })
    .execute();
}

/** The invitations of an organization, oldest first. One statement. */
export async function listInvitations(db: Reader, orgId: number, { now, limit }: { readonly now: number; readonly limit: number }): Promise<InvitationView[]> {
  const rows = await db.sql
    .selectFrom("organization_invitations as i")
    .innerJoin("teams as t", "t.id", "i.team_id")
    .innerJoin("accounts as a", "a.id", "i.inviter_id")
    .select(["i.id", "i.email", "i.expires_ms", "t.name as team_name", "a.name as inviter_name"])
    .select(sql<number>`case when ${canInvite} then 1 else 0 end`.as("can_invite"))
    .where("i.org_id", "=", orgId)
    .orderBy("i.id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    teamName: row.team_name,
    inviterName: row.inviter_name,
    expiresMs: row.expires_ms,
    isValid: Number(row.can_invite) === 1 && row.expires_ms > now,
  }));
}

export async function countInvitations(db: Reader, orgId: number): Promise<number> {
  const { total } = await db.sql
    .selectFrom("organization_invitations")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("org_id", "=", orgId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Removes the invitations of an organization that expired before a time. */
export async function deleteExpired(tx: Tx, orgId: number, before: number): Promise<void> {
  await tx.sql.deleteFrom("organization_invitations").where("org_id", "=", orgId).where("expires_ms", "<", before).execute();
}

/** An invitation of an organization with its team, and the time of its last email. */
export async function findInvitation(
  db: Reader,
  orgId: number,
  id: number,
): Promise<{ readonly email: string; readonly teamId: number; readonly teamName: string; readonly sentMs: number } | undefined> {
  return db.sql
    .selectFrom("organization_invitations as i")
    .innerJoin("teams as t", "t.id", "i.team_id")
    .select(["i.email", "i.team_id as teamId", "t.name as teamName", "i.sent_ms as sentMs"])
    .where("i.org_id", "=", orgId)
    .where("i.id", "=", id)
    .executeTakeFirst();
}

/** A valid invitation by the hash of its code. */
export async function findByCode(db: Reader, codeHash: string, now: number): Promise<Invitation | undefined> {
  return db.sql
    .selectFrom("organization_invitations as i")
    .innerJoin("teams as t", "t.id", "i.team_id")
    .innerJoin("accounts as o", "o.id", "i.org_id")
    .innerJoin("accounts as a", "a.id", "i.inviter_id")
    .select(["i.id", "i.email", "a.name as inviterName", "i.org_id as orgId", "o.name as orgName", "t.id as teamId", "t.name as teamName"])
    .where("i.code_hash", "=", codeHash)
    .where("i.expires_ms", ">", now)
    .where(canInvite)
    .executeTakeFirst();
}

/** @returns whether it existed: of two concurrent uses one succeeds */
export async function deleteInvitation(tx: Tx, orgId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx.sql.deleteFrom("organization_invitations").where("org_id", "=", orgId).where("id", "=", id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
