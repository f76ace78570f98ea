import { sql } from "kysely";
import { anyOf } from "../../../../../db/any-of.ts";
import type { Tx } from "../../../../../db/db.ts";

/** Adds labels to an issue and keeps its other labels. One statement. */
export async function insertIssueLabels(tx: Tx, issueId: number, labelIds: readonly number[]): Promise<void> {
  if (labelIds.length === 0) return;
  await tx.sql
    .insertInto("issue_labels")
    .values(labelIds.map((label_id) => ({ label_id, issue_id: issueId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteIssueLabels(tx: Tx, issueId: number, labelIds: readonly number[]): Promise<void> {
  if (labelIds.length === 0) return;
  await tx.sql
    .deleteFrom("issue_labels")
    .where("issue_id", "=", issueId)
    .where((eb) => anyOf(tx, eb.ref("label_id"), labelIds))
    .execute();
}

/** Adds assignees after the present ones. One statement. */
export async function insertAssignees(tx: Tx, issueId: number, accountIds: readonly number[]): Promise<void> {
  if (accountIds.length === 0) return;
  const position = (at: number) => sql<number>`(select coalesce(max(position), 0) from issue_assignees where issue_id = ${issueId}) + ${sql.lit(at + 1)}`;
  await tx.sql
    .insertInto("issue_assignees")
    .values(accountIds.map((account_id, at) => ({ account_id, issue_id: issueId, position: position(at) })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteAssignees(tx: Tx, issueId: number, accountIds: readonly number[]): Promise<void> {
  if (accountIds.length === 0) return;
  await tx.sql
    .deleteFrom("issue_assignees")
    .where("issue_id", "=", issueId)
    .where((eb) => anyOf(tx, eb.ref("account_id"), accountIds))
    .execute();
}

/** Records the users whom an issue mentions. @returns newly mentioned users */
export async function insertMentions(tx: Tx, issueId: number, accountIds: readonly number[]): Promise<readonly number[]> {
  if (accountIds.length === 0) return [];
  const rows = await tx.sql
    .insertInto("issue_mentions")
    .values(accountIds.map((account_id) => ({ account_id, issue_id: issueId })))
    .onConflict((conflict) => conflict.doNothing())
    .returning("account_id")
    .execute();
  return rows.map((row) => row.account_id);
}
