import { foldEmail } from "../../../../core/names.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { EmailView } from "../model.ts";
import { likePattern } from "./accounts.ts";

const selectEmails = (db: Reader) => db.sql.selectFrom("account_emails as e").innerJoin("accounts as a", "a.id", "e.account_id");
const columns = ["e.email", "e.is_primary", "e.is_verified", "e.account_id", "a.name"] as const;

interface EmailRow {
  readonly email: string;
  readonly is_primary: number;
  readonly is_verified: number;
  readonly account_id: number;
  readonly name: string;
}

const toView = (row: EmailRow): EmailView => ({
  email: row.email,
  isPrimary: row.is_primary === 1,
  isVerified: row.is_verified === 1,
  accountId: row.account_id,
  accountName: row.name,
});

/** The primary address first, then the others in order of creation. */
export async function listEmails(db: Reader, accountId: number): Promise<readonly EmailView[]> {
  const rows = await selectEmails(db).select(columns).where("e.account_id", "=", accountId).orderBy("e.is_primary", "desc").orderBy("e.id").execute();
  return rows.map(toView);
}

/** Throws a unique violation for an address in use. */
export async function insertEmails(tx: Tx, accountId: number, emails: readonly string[], state: "verified" | "claimed"): Promise<void> {
  const is_verified = state === "verified" ? 1 : 0;
  const values = emails.map((email) => ({ account_id: accountId, email, folded: foldEmail(email), is_primary: 0, is_verified }));
  await tx.sql.insertInto("account_emails").values(values).execute();
}

/** Marks an address as verified. @returns whether it was unverified before; undefined for an address that is not the user's */
export async function verifyEmail(tx: Tx, accountId: number, folded: string): Promise<boolean | undefined> {
  const row = await tx.sql
    .selectFrom("account_emails")
    .select(["id", "is_verified"])
    .where("account_id", "=", accountId)
    .where("folded", "=", folded)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await tx.sql.updateTable("account_emails").set({ is_verified: 1 }).where("id", "=", row.id).execute();
  return row.is_verified === 0;
}

/** Makes another of a user's addresses the primary one; verification states do not change. */
export async function movePrimary(tx: Tx, accountId: number, folded: string): Promise<void> {
  const own = tx.sql.updateTable("account_emails").where("account_id", "=", accountId);
  await own.set({ is_primary: 0 }).where("is_primary", "=", 1).execute();
  await own.set({ is_primary: 1 }).where("folded", "=", folded).execute();
}

/** Those of some folded addresses that are in use. */
export async function listUsedEmails(db: Reader, folded: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.sql
    .selectFrom("account_emails")
    .select("folded")
    .where((eb) => anyOf(db, eb.ref("folded"), folded))
    .execute();
  return new Set(rows.map((row) => row.folded));
}

export async function deleteEmails(tx: Tx, accountId: number, folded: readonly string[]): Promise<void> {
  await tx.sql
    .deleteFrom("account_emails")
    .where("account_id", "=", accountId)
    .where("is_primary", "=", 0)
    .where((eb) => anyOf(tx, eb.ref("folded"), folded))
    .execute();
}

/** Addresses that contain a string, or whose users' names do; all for an empty string. Two statements. */
export async function searchEmails(db: Reader, text: string, page: Page): Promise<Paged<EmailView>> {
  let query = selectEmails(db);
  if (text !== "") {
    const pattern = likePattern(text.toLowerCase());
    query = query.where((eb) =>
      eb.or([eb("e.folded", "like", pattern), eb("a.name_folded", "like", pattern), eb(eb.fn("lower", ["a.full_name"]), "like", pattern)]),
    );
  }
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await query.select(columns).orderBy("e.folded").limit(page.limit).offset(page.offset).execute();
  return { items: rows.map(toView), total: Number(total) };
}
