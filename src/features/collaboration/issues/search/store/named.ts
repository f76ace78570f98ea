import { type RawBuilder, sql } from "kysely";
import { anyOf } from "../../../../../db/any-of.ts";
import type { Reader } from "../../../../../db/db.ts";
import type { ReadableUnits } from "../../../../repositories/repos/service/readable.ts";

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
  /** For labels: whether both issues and pull requests of the repository are in the scope. */
  readonly is_whole: number;
}

/** Where labels and milestones are looked up. */
export type NameScope = { readonly repoId: number; readonly ownerId: number } | { readonly readable: Pick<ReadableUnits, "issues" | "pulls"> };

/** Labels and milestones of some repositories or their owners, and users, by name. One statement, or none without names. */
export async function findNamed(db: Reader, within: NameScope, wanted: WantedNames): Promise<readonly NamedRow[]> {
  const inScope = (table: string): RawBuilder<unknown> =>
    "repoId" in within
      ? sql`${sql.ref(`${table}.repo_id`)} = ${within.repoId}`
      : sql`exists (select 1 from repositories r where r.id = ${sql.ref(`${table}.repo_id`)} and (${within.readable.issues} or ${within.readable.pulls}))`;
  // An organization's labels find only issues of readable repositories.
  const ofOwner = "repoId" in within ? sql`org_id = ${within.ownerId}` : sql`org_id is not null`;
  const isWhole =
    "repoId" in within
      ? sql`cast(1 as bigint)`
      : sql`(select count(*) from repositories r where r.id = labels.repo_id and ${within.readable.issues} and ${within.readable.pulls})`;
  const parts: RawBuilder<unknown>[] = [];
  if (wanted.labels.length > 0)
    parts.push(sql`select 'label' as kind, id, name, repo_id, ${isWhole} as is_whole from labels
      where ${anyOf(db, sql<string>`name`, wanted.labels)} and (${inScope("labels")} or ${ofOwner})`);
  if (wanted.milestones.length > 0 || wanted.milestoneIds.length > 0)
    parts.push(sql`select 'milestone' as kind, id, title_folded as name, repo_id, cast(0 as bigint) as is_whole from milestones
      where ${inScope("milestones")} and (${anyOf(db, sql<string>`title_folded`, wanted.milestones)} or ${anyOf(db, sql<number>`id`, wanted.milestoneIds)})`);
  if (wanted.users.length > 0)
    parts.push(sql`select 'user' as kind, id, name_folded as name, cast(null as bigint) as repo_id, cast(0 as bigint) as is_whole from accounts
      where kind = 'user' and ${anyOf(db, sql<string>`name_folded`, wanted.users)}`);
  if (parts.length === 0) return [];
  const { rows } = await sql<NamedRow>`${sql.join(parts, sql` union all `)} order by id`.execute(db.sql);
  return rows;
}
