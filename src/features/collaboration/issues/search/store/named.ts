import { type RawBuilder, sql } from "kysely";
import { anyOf } from "../../../../../db/any-of.ts";
import type { Reader } from "../../../../../db/db.ts";

/** Names in the filters of a list; folded if they are case-insensitive. */
export interface WantedNames {
  readonly labels: readonly string[];
  /** Folded titles. */
  readonly milestones: readonly string[];
  readonly milestoneIds: readonly number[];
  /** Folded. */
  readonly users: readonly string[];
}

export interface NamedRow {
  readonly kind: "label" | "milestone" | "user";
  readonly id: number;
  /** As requested. */
  readonly name: string;
  /** Set for milestones and for repository labels. */
  readonly repo_id: number | null;
}

/** Labels and milestones of some repositories or their owners, and users, by name. One statement, or none without names. */
export async function findNamed(
  db: Reader,
  within: { readonly repoIds: readonly number[]; readonly ownerIds: readonly number[] },
  wanted: WantedNames,
): Promise<readonly NamedRow[]> {
  const inRepositories = anyOf(db, sql<number>`repo_id`, within.repoIds);
  const parts: RawBuilder<unknown>[] = [];
  if (wanted.labels.length > 0)
    parts.push(sql`select 'label' as kind, id, name, repo_id from labels
      where ${anyOf(db, sql<string>`name`, wanted.labels)} and (${inRepositories} or ${anyOf(db, sql<number>`org_id`, within.ownerIds)})`);
  if (wanted.milestones.length > 0 || wanted.milestoneIds.length > 0)
    parts.push(sql`select 'milestone' as kind, id, title_folded as name, repo_id from milestones
      where ${inRepositories} and (${anyOf(db, sql<string>`title_folded`, wanted.milestones)} or ${anyOf(db, sql<number>`id`, wanted.milestoneIds)})`);
  if (wanted.users.length > 0)
    parts.push(sql`select 'user' as kind, id, name_folded as name, cast(null as bigint) as repo_id from accounts
      where kind = 'user' and ${anyOf(db, sql<string>`name_folded`, wanted.users)}`);
  if (parts.length === 0) return [];
  const { rows } = await sql<NamedRow>`${sql.join(parts, sql` union all `)} order by id`.execute(db.sql);
  return rows;
}
