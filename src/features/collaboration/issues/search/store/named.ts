import { sql } from "kysely";
import { anyOf, valuesOf } from "../../../../../db/any-of.ts";
import type { Reader } from "../../../../../db/db.ts";
import type { ReadableScope, Sql } from "./filter.ts";

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
}

/** The repository whose labels and milestones are looked up, and its owner, who can have labels too. */
export interface NameScope {
  readonly repoId: number;
  readonly ownerId: number;
}

const users = (db: Reader, names: readonly string[]): Sql => sql`select 'user' as kind, id, name_folded as name from accounts
  where kind = 'user' and ${anyOf(db, sql<string>`name_folded`, names)}`;

/** Labels and milestones of a repository or its owner, and users, by name. One statement, or none without names. */
export async function findNamed(db: Reader, { repoId, ownerId }: NameScope, wanted: WantedNames): Promise<readonly NamedRow[]> {
  const parts: Sql[] = [];
  if (wanted.labels.length > 0)
    parts.push(sql`select 'label' as kind, id, name from labels
      where ${anyOf(db, sql<string>`name`, wanted.labels)} and (repo_id = ${repoId} or org_id = ${ownerId})`);
  if (wanted.milestones.length > 0 || wanted.milestoneIds.length > 0)
    parts.push(sql`select 'milestone' as kind, id, title_folded as name from milestones
      where repo_id = ${repoId} and (${anyOf(db, sql<string>`title_folded`, wanted.milestones)} or ${anyOf(db, sql<number>`id`, wanted.milestoneIds)})`);
  if (wanted.users.length > 0) parts.push(users(db, wanted.users));
  return readNames(db, parts);
}

/**
 * The names that a label or milestone of some readable repository has, each once with no id, and users. One statement, or none without names.
 * An organization's labels find only issues of readable repositories, so that their names count too.
 */
export async function findKnownNames(
  db: Reader,
  within: ReadableScope,
  wanted: Pick<WantedNames, "labels" | "milestones" | "users">,
): Promise<readonly NamedRow[]> {
  /** @param table `labels` or `milestones`, with the condition on its name */
  const isKnown = (table: Sql, repoId: Sql, isWanted: Sql): Sql =>
    within.repositories === undefined
      ? sql`exists (select 1 from ${table} cross join repositories r where ${isWanted} and r.id = ${repoId} and (${within.issues} or ${within.pulls}))`
      : sql`exists (select 1 from ${table} where ${repoId} in (${within.repositories}) and ${isWanted})`;
  const parts: Sql[] = [];
  if (wanted.labels.length > 0)
    parts.push(sql`select 'label' as kind, 0 as id, n.value as name from ${valuesOf(db, wanted.labels)} n
      where ${isKnown(sql`labels l`, sql`l.repo_id`, sql`l.name = n.value`)}
        or exists (select 1 from labels l where l.org_id is not null and l.name = n.value)`);
  if (wanted.milestones.length > 0)
    parts.push(sql`select 'milestone' as kind, 0 as id, n.value as name from ${valuesOf(db, wanted.milestones)} n
      where ${isKnown(sql`milestones m`, sql`m.repo_id`, sql`m.title_folded = n.value`)}`);
  if (wanted.users.length > 0) parts.push(users(db, wanted.users));
  return readNames(db, parts);
}

async function readNames(db: Reader, parts: readonly Sql[]): Promise<readonly NamedRow[]> {
  if (parts.length === 0) return [];
  const { rows } = await sql<NamedRow>`${sql.join(parts, sql` union all `)}`.execute(db.sql);
  // If the statement sorts them, SQLite reads all users in the order of their ids instead of those with the names.
  return rows.toSorted((one, other) => one.id - other.id);
}
