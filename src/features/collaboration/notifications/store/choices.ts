import type { Reader, Tx } from "../../../../db/db.ts";
import type { Channel, ChoiceKind } from "../reasons.ts";

export interface ChoiceRow {
  readonly kind: string;
  readonly channel: Channel;
}

/** The settings of an account that differ from the default. */
export async function listChoices(db: Reader, accountId: number): Promise<readonly ChoiceRow[]> {
  const rows = await db.sql.selectFrom("notification_choices").select(["kind", "web", "email"]).where("account_id", "=", accountId).execute();
  return rows.map(({ kind, web, email }) => ({ kind, channel: web === 1 ? (email === 1 ? "both" : "web") : email === 1 ? "email" : "none" }));
}

/** Replaces the settings of an account. Two statements. */
export async function replaceChoices(tx: Tx, accountId: number, chosen: readonly (readonly [ChoiceKind, Channel])[]): Promise<void> {
  await tx.sql.deleteFrom("notification_choices").where("account_id", "=", accountId).execute();
  const rows = chosen.map(([kind, channel]) => ({
    account_id: accountId,
    kind,
    web: flag(channel !== "email" && channel !== "none"),
    email: flag(channel === "both" || channel === "email"),
  }));
  if (rows.length > 0) await tx.sql.insertInto("notification_choices").values(rows).execute();
}

const flag = (is: boolean): 0 | 1 => (is ? 1 : 0);
