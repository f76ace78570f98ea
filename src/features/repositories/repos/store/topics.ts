import { sql } from "kysely";
import type { Actor } from "../../../../access/actor.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { TopicView } from "../model.ts";
import { grantedIds, leastAudience, visibleTo } from "./visible.ts";

/** The topics of a repository, in alphabetical order. */
export async function listTopicNames(db: Reader, repoId: number): Promise<readonly string[]> {
  const rows = await db.sql
    .selectFrom("repository_topics as rt")
    .innerJoin("topics as t", "t.id", "rt.topic_id")
    .select("t.name")
    .where("rt.repo_id", "=", repoId)
    .orderBy("t.name")
    .execute();
  return rows.map((row) => row.name);
}

/** Adds topics to a repository; existing ones are kept. */
export async function addTopics(tx: Tx, repoId: number, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await tx.sql
    .insertInto("topics")
    .values(names.map((name) => ({ name, created_ms: tx.nowMs, updated_ms: tx.nowMs })))
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const ids = tx.sql.selectFrom("topics").where((eb) => anyOf(tx, eb.ref("name"), names));
  await tx.sql
    .insertInto("repository_topics")
    .columns(["repo_id", "topic_id"])
    .expression(ids.select([sql<number>`${repoId}`.as("repo_id"), "id as topic_id"]))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const rows = await ids.select("id").execute();
  await recount(
    tx,
    rows.map((row) => row.id),
  );
}

/** Removes topics from a repository. @returns the number of removed ones */
export async function removeTopics(tx: Tx, repoId: number, names: readonly string[]): Promise<number> {
  const rows = await tx.sql
    .deleteFrom("repository_topics")
    .where("repo_id", "=", repoId)
    .where("topic_id", "in", (eb) =>
      eb
        .selectFrom("topics")
        .select("id")
        .where((topic) => anyOf(tx, topic.ref("name"), names)),
    )
    .returning("topic_id")
    .execute();
  await recount(
    tx,
    rows.map((row) => row.topic_id),
  );
  return rows.length;
}

/** Recomputes the counters of topics whose repositories were deleted or restored. */
export async function recountTopicsOf(tx: Tx, repoIds: readonly number[]): Promise<void> {
  const rows = await tx.sql
    .selectFrom("repository_topics")
    .select("topic_id")
    .distinct()
    .where((eb) => anyOf(tx, eb.ref("repo_id"), repoIds))
    .execute();
  await recount(
    tx,
    rows.map((row) => row.topic_id),
  );
}

/** Deletes topics that no repository has, after repositories were purged. */
export async function deleteUnusedTopics(tx: Tx): Promise<void> {
  await tx.sql
    .deleteFrom("topics")
    .where("repo_count", "=", 0)
    .where((eb) => eb.not(eb.exists(eb.selectFrom("repository_topics as rt").select("rt.topic_id").whereRef("rt.topic_id", "=", "topics.id"))))
    .execute();
}

/** Recomputes the number of repositories per topic, without deleted ones; unused topics are deleted. */
async function recount(tx: Tx, topicIds: readonly number[]): Promise<void> {
  if (topicIds.length === 0) return;
  await tx.sql
    .updateTable("topics")
    .set({
      repo_count: sql<number>`(select count(*) from repository_topics rt join repositories r on r.id = rt.repo_id
        where rt.topic_id = topics.id and r.deleted_ms is null)`,
      updated_ms: tx.nowMs,
    })
    .where((eb) => anyOf(tx, eb.ref("id"), topicIds))
    .execute();
  await tx.sql
    .deleteFrom("topics")
    .where((eb) => anyOf(tx, eb.ref("id"), topicIds))
    .where("repo_count", "=", 0)
    // A topic of a deleted repository is kept, in case the repository is restored.
    .where((eb) => eb.not(eb.exists(eb.selectFrom("repository_topics as rt").select("rt.topic_id").whereRef("rt.topic_id", "=", "topics.id"))))
    .execute();
}

/** Topics that a search compares, the most used ones first. */
const maxCompared = 2_000;
/** Topics whose names begin with the text, however rarely they are used. */
const maxBeginning = 500;

/**
 * Topics whose names contain a string, most used first. Only repositories that the actor can read count: a topic that only hidden
 * repositories have is not found. Compares the {@link maxCompared} most used topics, those whose names begin with the text, and those of repositories
 * that the actor has a grant for. At most two statements.
 */
export async function searchTopics(db: Reader, actor: Actor, text: string, page: Page): Promise<Paged<TopicView>> {
  const name = text.toLowerCase();
  const least = leastAudience(actor);
  const granted = grantedIds(actor);
  const isUnstored = least === undefined ? sql`` : sql` and r.audience < ${least}`;
  const given =
    granted === undefined
      ? sql`select 0 as topic_id, 0 as n from topics where 1 = 0`
      : sql`select rt.topic_id, count(*) as n from granted g ${db.dialect === "sqlite" ? sql`cross join` : sql`join`} repositories r on r.id = g.id
          join repository_topics rt on rt.repo_id = r.id where ${visibleTo(actor)}${isUnstored} group by rt.topic_id`;
  const stored = least === undefined ? sql`0` : sql`coalesce((select sum(n) from topic_totals where topic_id = t.id and audience >= ${least}), 0)`;
  const isMatch = sql`name like ${`%${name.replace(/[\\%_]/g, "\\$&")}%`} escape '\\'`;
  const found = sql`with granted (id) as (${granted ?? sql`select 0 where 1 = 0`}), given (topic_id, n) as materialized (${given}),
    compared (id) as (select id from (select id, name from topics order by repo_count desc, name limit ${maxCompared}) used where ${isMatch}
      union select id from (select id from topics where name >= ${name} and name < ${`${name}\u{10ffff}`} order by name limit ${maxBeginning}) beginning
      union select topic_id from given),
    found as (select t.id, t.name, t.created_ms, t.updated_ms, ${stored} + coalesce((select n from given where topic_id = t.id), 0) as repo_count
      from topics t where t.id in (select id from compared) and t.${isMatch})`;
  const read = async (limit: number, offset: number): Promise<readonly TopicRow[]> => {
    const { rows } = await sql<TopicRow>`${found} select found.*, count(*) over () as total from found where repo_count > 0
      order by repo_count desc, name limit ${limit} offset ${offset}`.execute(db.sql);
    return rows;
  };
  const rows = await read(page.limit, page.offset);
  const [first] = rows.length > 0 || page.offset === 0 ? rows : await read(1, 0);
  return {
    items: rows.map((row) => ({ id: row.id, name: row.name, repoCount: Number(row.repo_count), createdMs: row.created_ms, updatedMs: row.updated_ms })),
    total: Number(first?.total ?? 0),
  };
}

interface TopicRow {
  readonly id: number;
  readonly name: string;
  readonly created_ms: number;
  readonly updated_ms: number;
  readonly repo_count: number;
  /** Of all rows, not only those of the page. */
  readonly total: number;
}
