import { type RawBuilder, sql } from "kysely";
import { type Watching, type WatchKind, watchKinds } from "../../../../core/watching.ts";
import type { Tx } from "../../../../db/db.ts";

const ignored = -1;

/** The level of an account at a repository as a number, see {@link toWatching}; null: participating. */
export const watchingCode = (repoId: RawBuilder<unknown>, accountId: unknown): RawBuilder<number | null> => sql`coalesce(
  (select w.issues + 2 * w.pulls + 4 * w.releases from watches w where w.repo_id = ${repoId} and w.account_id = ${accountId}),
  (select ${sql.lit(ignored)} from ignored_repositories g where g.repo_id = ${repoId} and g.account_id = ${accountId}))`;

export function toWatching(code: number | null): Watching {
  if (code === null) return "participating";
  return code === ignored ? "ignored" : watchKinds.filter((_, at) => (code & (1 << at)) !== 0);
}

/** Selects the kinds of activity of an existing watch. */
export async function updateWatchedKinds(tx: Tx, repoId: number, accountId: number, kinds: readonly WatchKind[]): Promise<void> {
  const is = (kind: WatchKind): 0 | 1 => (kinds.includes(kind) ? 1 : 0);
  await tx.sql
    .updateTable("watches")
    .set({ issues: is("issues"), pulls: is("pulls"), releases: is("releases") })
    .where("repo_id", "=", repoId)
    .where("account_id", "=", accountId)
    .execute();
}
