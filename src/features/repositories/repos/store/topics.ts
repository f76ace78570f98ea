import { sql } from "kysely";
import type { Actor } from "../../../../access/actor.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { TopicView } from "../model.ts";
import { visibleTo } from "./visible.ts";

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

/**
 * Topics whose names contain a string, most used first. Only repositories that the actor can read count: a topic that only hidden
 * repositories have is not found. At most two statements.
 */
export async function searchTopics(db: Reader, actor: Actor, text: string, page: Page): Promise<Paged<TopicView>> {
  const counted = db.sql
    .selectFrom("topics as t")
    .innerJoin("repository_topics as rt", "rt.topic_id", "t.id")
    .innerJoin("repositories as r", "r.id", "rt.repo_id")
    .innerJoin("accounts as o", "o.id", "r.owner_id")
    .where(visibleTo(actor))
    .where(sql<boolean>`t.name like ${`%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`} escape '\\'`);
  const rows = await counted
    .select((eb) => ["t.id", "t.name", "t.created_ms", "t.updated_ms", eb.fn.countAll<number>().as("repo_count")])
    .groupBy(["t.id", "t.name", "t.created_ms", "t.updated_ms"])
    .orderBy("repo_count", "desc")
    .orderBy("t.name")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const items = rows.map((row) => ({ id: row.id, name: row.name, repoCount: Number(row.repo_count), createdMs: row.created_ms, updatedMs: row.updated_ms }));
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  const { total } = await counted.select(sql<number>`count(distinct t.id)`.as("total")).executeTakeFirstOrThrow();
  return { items, total: Number(total) };
}
