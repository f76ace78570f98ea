import { anyOf } from "../../../../db/any-of.ts";
import type { Reader } from "../../../../db/db.ts";

/** The state of an issue or pull request that a task item refers to. */
export interface ReferencedState {
  readonly repoId: number;
  readonly number: number;
  readonly isPull: boolean;
  readonly isClosed: boolean;
  readonly title: string;
}

/** Issues with one of some numbers in some repositories: more than the pairs that the caller looks for. One statement. */
export async function listStates(db: Reader, repoIds: readonly number[], numbers: readonly number[]): Promise<readonly ReferencedState[]> {
  if (repoIds.length === 0 || numbers.length === 0) return [];
  const rows = await db.sql
    .selectFrom("issues")
    .select(["repo_id", "number", "is_pull", "is_closed", "title"])
    .where((eb) => anyOf(db, eb.ref("repo_id"), repoIds))
    .where((eb) => anyOf(db, eb.ref("number"), numbers))
    .execute();
  return rows.map((row) => ({ repoId: row.repo_id, number: row.number, isPull: row.is_pull === 1, isClosed: row.is_closed === 1, title: row.title }));
}
