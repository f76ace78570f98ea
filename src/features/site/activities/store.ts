import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Page } from "../../../core/paging.ts";
import { compiled, compiledRows, type Slots } from "../../../db/compiled.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { ObjectFormat, Oid } from "../../../git/types.ts";
import type { ContributionView, NewActivity, Removal } from "./model.ts";

type WrittenActivity = Required<Omit<NewActivity, "commentId">> & { readonly commentId: number | null; readonly nowMs: number };

const insertRows = compiledRows((tx, rows: readonly Slots<WrittenActivity>[]) =>
  tx.sql.insertInto("activities").values((eb) =>
    rows.map((row) => ({
      kind: row.kind,
      actor_id: row.actorId,
      repo_id: row.repoId,
      owner_id: eb.selectFrom("repositories").select("owner_id").where("id", "=", row.repoId),
      ref_name: row.refName,
      old_oid: row.oldOid,
      new_oid: row.newOid,
      subject: row.subject,
      comment_id: row.commentId,
      created_ms: row.nowMs,
    })),
  ),
);

/** Inserts activities under the current owner of their repositories. One statement for all. */
export async function insertActivities(tx: Tx, activities: readonly NewActivity[]): Promise<void> {
  const { nowMs } = tx;
  const plain = { refName: "", oldOid: null, newOid: null, subject: "", commentId: null, nowMs };
  await insertRows(
    tx,
    activities.map((activity) => ({ ...plain, ...activity })),
  );
}

/** One statement for all. */
export async function removeActivities(tx: Tx, removals: readonly Removal[]): Promise<void> {
  await tx.sql
    .deleteFrom("activities")
    .where((eb) =>
      eb.or(
        removals.map((removal) =>
          eb("repo_id", "=", removal.repoId).and(
            "commentId" in removal ? eb("comment_id", "=", removal.commentId) : eb("subject", "like", `${removal.subject}%`),
          ),
        ),
      ),
    )
    .execute();
}

export async function deleteActivities(tx: Tx, beforeMs: number): Promise<void> {
  await tx.sql.deleteFrom("activities").where("created_ms", "<", beforeMs).execute();
}

/** The subject of a feed. */
export type FeedOf =
  | { readonly kind: "actor"; readonly accountId: number }
  /** A user's actions, and those of others in repositories that the user watches. */
  | { readonly kind: "user"; readonly accountId: number }
  /** The activity in an account's repositories. */
  | { readonly kind: "owner"; readonly accountId: number }
  | { readonly kind: "repository"; readonly repoId: number }
  | { readonly kind: "team"; readonly teamId: number };

/** The viewer, for users who hide their activity. */
export interface Viewer {
  /** The viewer's account id, or 0. A viewer sees their own actions and those that are not hidden; administrators see all. */
  readonly id: number;
  readonly seesAll: boolean;
}

export interface FeedFilter {
  readonly of: FeedOf;
  readonly viewer: Viewer;
  /** A condition for repositories that the viewer can read, on the aliases `r` and `o`. */
  readonly readable: RawBuilder<SqlBool>;
  readonly showsPrivate: boolean;
  /** From `sinceMs` (inclusive) to `untilMs` (exclusive). */
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

const source = sql`activities a join repositories r on r.id = a.repo_id join accounts o on o.id = r.owner_id join accounts u on u.id = a.actor_id`;

/** The parts of a feed, as conditions on `n`. Each uses its own index. */
function partsOf(of: FeedOf): readonly RawBuilder<SqlBool>[] {
  switch (of.kind) {
    case "actor":
      return [sql`n.actor_id = ${of.accountId}`];
    case "user":
      return [sql`n.actor_id = ${of.accountId}`, sql`n.repo_id in (select w.repo_id from watches w where w.account_id = ${of.accountId})`];
    case "owner":
      return [sql`n.owner_id = ${of.accountId}`];
    case "repository":
      return [sql`n.repo_id = ${of.repoId}`];
    case "team":
      return [
        sql`n.repo_id in (select tr.repo_id from team_repositories tr where tr.team_id = ${of.teamId}
          union select own.id from repositories own join teams t on t.org_id = own.owner_id where t.id = ${of.teamId} and t.includes_all_repositories = 1)`,
      ];
  }
}

/** A feed contains at most the newest rows of each part, so its cost does not grow with the history. */
const maxOfPart = 1_000;

/** The ids in a feed, before any visibility check. */
function heldBy({ of, sinceMs, untilMs }: FeedFilter): RawBuilder<number> {
  const range = [sinceMs === undefined ? undefined : sql`n.created_ms >= ${sinceMs}`, untilMs === undefined ? undefined : sql`n.created_ms < ${untilMs}`];
  const parts = partsOf(of).map((part, at) => {
    const where = sql.join([part, ...range.filter((bound) => bound !== undefined)], sql` and `);
    return sql`select * from (select n.id from activities n where ${where} order by n.created_ms desc, n.id desc limit ${sql.lit(maxOfPart)}) ${sql.raw(`part${at}`)}`;
  });
  return sql`${sql.join(parts, sql` union `)}`;
}

function conditions({ viewer, readable, showsPrivate }: Pick<FeedFilter, "viewer" | "readable" | "showsPrivate">): RawBuilder<SqlBool> {
  const shown = viewer.id === 0 ? sql`u.visibility = 'public'` : sql`u.visibility <> 'private'`;
  const all: RawBuilder<SqlBool>[] = [readable];
  if (!viewer.seesAll) all.push(sql`((u.hide_activity = 0 and ${shown}) or u.id = ${viewer.id})`);
  if (!showsPrivate) all.push(sql`r.is_private = 0`);
  return sql`${sql.join(all, sql` and `)}`;
}

export interface ActivityRow {
  readonly id: number;
  readonly kind: string;
  readonly actorId: number;
  readonly repoId: number;
  readonly refName: string;
  readonly oldOid: Oid | null;
  readonly newOid: Oid | null;
  readonly subject: string;
  readonly commentId: number | null;
  readonly createdMs: number;
  /** The store of the ref's objects. */
  readonly storeId: number;
  readonly objectFormat: ObjectFormat;
}

/** Rows of each part that usually contain the first few activities. */
const fewOfPart = 50;

/**
 * The first activities of a feed, without a total. Rights are checked for the newest few rows of each part, and for all of them only if an omitted one could
 * be among the first. One statement, or two.
 */
export async function firstActivities(db: Reader, filter: FeedFilter, limit: number): Promise<readonly ActivityRow[]> {
  const parts = partsOf(filter.of).map((part) => sql`select n.id, n.created_ms from activities n where ${part} order by n.created_ms desc, n.id desc`);
  const names = parts.map((_, at) => sql.raw(`part${at}`));
  const read = async (newest: number): Promise<readonly (Row & { readonly omitted_ms: number | null })[]> => {
    const ctes = parts.map((part, at) => sql`${names[at]} as materialized (${part} limit ${newest})`);
    const omitted = names.map((name) => sql`select case when count(*) = ${newest} then min(created_ms) end as ms from ${name}`);
    const { rows } = await sql<Row & { readonly omitted_ms: number | null }>`with ${sql.join(ctes)}
      select a.*, r.code_store_id, s.object_format, (select max(ms) from (${sql.join(omitted, sql` union all `)}) o) as omitted_ms
      from ${source} join git_stores s on s.id = r.code_store_id
      where a.id in (${sql.join(
        names.map((name) => sql`select id from ${name}`),
        sql` union `,
      )}) and ${conditions(filter)} order by a.created_ms desc, a.id desc limit ${limit}`.execute(db.sql);
    return rows;
  };
  const found = await read(fewOfPart);
  const [first, last] = [found[0], found[limit - 1]];
  const isComplete = first !== undefined && (first.omitted_ms === null || (last !== undefined && last.created_ms > Number(first.omitted_ms)));
  return (isComplete ? found : await read(maxOfPart)).map(toRow);
}

/** A page of a feed, newest first. One statement, and another one beyond the end. */
export async function pageActivities(db: Reader, filter: FeedFilter, page: Page): Promise<{ readonly items: readonly ActivityRow[]; readonly total: number }> {
  const where = sql`a.id in (${heldBy(filter)}) and ${conditions(filter)}`;
  const { rows } = await sql<Row & { total: number }>`select a.*, r.code_store_id, s.object_format, count(*) over () as total
    from ${source} join git_stores s on s.id = r.code_store_id
    where ${where} order by a.created_ms desc, a.id desc limit ${page.limit} offset ${page.offset}`.execute(db.sql);
  const [first] = rows;
  if (first !== undefined) return { total: Number(first.total), items: rows.map(toRow) };
  if (page.offset === 0) return { total: 0, items: [] };
  const counted = await sql<{ total: number }>`select count(*) as total from ${source} where ${where}`.execute(db.sql);
  return { total: Number(counted.rows[0]?.total ?? 0), items: [] };
}

interface Row {
  readonly id: number;
  readonly kind: string;
  readonly actor_id: number;
  readonly repo_id: number;
  readonly ref_name: string;
  readonly old_oid: string | null;
  readonly new_oid: string | null;
  readonly subject: string;
  readonly comment_id: number | null;
  readonly created_ms: number;
  readonly code_store_id: number;
  readonly object_format: string;
}

const toRow = (row: Row): ActivityRow => ({
  id: row.id,
  kind: row.kind,
  actorId: row.actor_id,
  repoId: row.repo_id,
  refName: row.ref_name,
  oldOid: row.old_oid,
  newOid: row.new_oid,
  subject: row.subject,
  commentId: row.comment_id,
  createdMs: row.created_ms,
  storeId: row.code_store_id,
  objectFormat: row.object_format as ObjectFormat,
});

export interface KindCount {
  readonly kind: string;
  readonly startMs: number;
  readonly count: number;
}

/** The number of activities of a feed per kind and time span. One statement; counts only what the feed contains. */
export async function countKinds(db: Reader, filter: FeedFilter, spanMs: number): Promise<KindCount[]> {
  const span = sql.lit(spanMs);
  const { rows } = await sql<{ kind: string; start_ms: number; count: number }>`select a.kind, (a.created_ms / ${span}) * ${span} as start_ms, count(*) as count
    from ${source} where a.id in (${heldBy(filter)}) and ${conditions(filter)} group by 1, 2 order by 2`.execute(db.sql);
  return rows.map(({ kind, start_ms: startMs, count }) => ({ kind, startMs: Number(startMs), count: Number(count) }));
}

/** A user's number of actions per time span since a time, in order. One statement. */
export async function countActivities(
  db: Reader,
  filter: Omit<FeedFilter, "of" | "untilMs"> & { readonly actorId: number },
  spanMs: number,
): Promise<ContributionView[]> {
  const span = sql.lit(spanMs);
  const { rows } = await sql<{ start_ms: number; count: number }>`select (a.created_ms / ${span}) * ${span} as start_ms, count(*) as count
    from ${source} where a.actor_id = ${filter.actorId} and a.created_ms >= ${filter.sinceMs ?? 0} and ${conditions(filter)}
    group by 1 order by 1`.execute(db.sql);
  return rows.map((row) => ({ startMs: Number(row.start_ms), count: Number(row.count) }));
}

export interface PushedBranch {
  readonly ownerName: string;
  readonly name: string;
  readonly refName: string;
  readonly pushedMs: number;
}

const selectPushed = compiled((db, given: Slots<{ actorId: number; repoId: number; sinceMs: number; defaultRef: string; limit: number }>) =>
  db.sql
    .selectFrom("activities as a")
    .innerJoin("repositories as r", "r.id", "a.repo_id")
    .innerJoin("accounts as o", "o.id", "r.owner_id")
    .innerJoin("refs as b", (join) => join.onRef("b.store_id", "=", "r.code_store_id").onRef("b.name", "=", "a.ref_name"))
    .select((eb) => ["o.name as ownerName", "r.name", "a.ref_name as refName", eb.fn.max("a.created_ms").as("pushedMs")])
    .where("a.actor_id", "=", given.actorId)
    .where("a.created_ms", ">", given.sinceMs)
    .where("a.kind", "=", "commit_repo")
    .where("r.deleted_ms", "is", null)
    .where("r.is_archived", "=", 0)
    .where((eb) => eb.or([eb("r.id", "=", given.repoId), eb.and([eb("r.fork_of", "=", given.repoId), eb("r.owner_id", "=", given.actorId)])]))
    // Changes of the default branch of the repository itself are not proposed to it.
    .where((eb) => eb.or([eb("r.id", "<>", given.repoId), eb("a.ref_name", "<>", given.defaultRef)]))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("pull_requests as p")
            .innerJoin("issues as i", "i.id", "p.issue_id")
            .select("p.id")
            .whereRef("p.head_repo_id", "=", "r.id")
            .where(sql<boolean>`p.head_branch = substr(a.ref_name, ${sql.lit("refs/heads/".length + 1)})`)
            .where((pull) => pull.or([pull("i.is_closed", "=", 0), pull("p.head_oid", "=", pull.ref("b.oid"))])),
        ),
      ),
    )
    .groupBy(["o.name", "r.name", "a.ref_name"])
    .orderBy("pushedMs", "desc")
    .limit(given.limit),
);

/** Branches that an account has pushed, to a repository or its own fork of it, without a pull request that contains their tip. */
export const listPushedBranches = (
  db: Reader,
  query: { readonly actorId: number; readonly repoId: number; readonly sinceMs: number; readonly defaultRef: string; readonly limit: number },
): Promise<readonly PushedBranch[]> => selectPushed(db, query);

const selectOwnBranches = compiled((db, given: Slots<{ actorId: number; repoId: number; read: number; limit: number }>) =>
  db.sql
    .selectFrom((eb) =>
      eb
        .selectFrom("activities as a")
        .select(["a.repo_id", "a.kind", "a.ref_name", "a.created_ms"])
        .where("a.actor_id", "=", given.actorId)
        .orderBy("a.created_ms", "desc")
        .orderBy("a.id", "desc")
        .limit(given.read)
        .as("recent"),
    )
    .select((eb) => ["recent.ref_name as refName", eb.fn.max("recent.created_ms").as("pushedMs")])
    .where("recent.repo_id", "=", given.repoId)
    .where("recent.kind", "=", "commit_repo")
    .groupBy("recent.ref_name")
    .orderBy("pushedMs", "desc")
    .limit(given.limit),
);

/** Full names of branches of a repository among the last activities of an account, last push first. They may no longer exist. One statement. */
export const listOwnBranches = async (
  db: Reader,
  query: { readonly actorId: number; readonly repoId: number; readonly read: number; readonly limit: number },
): Promise<readonly string[]> => (await selectOwnBranches(db, query)).map(({ refName }) => refName);
