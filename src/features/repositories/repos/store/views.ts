import { sql } from "kysely";
import { anyOf } from "../../../../db/any-of.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader } from "../../../../db/db.ts";
import type { RepositoryView } from "../model.ts";
import { type LocatedRepository, selectLocated, selectLocatedEver, toLocated } from "./located.ts";
import { toWatching, watchingCode } from "./watching.ts";

/** The stored part of a view: owner and parent are ids, and permissions are not evaluated yet. */
export interface RepositoryRow extends Omit<RepositoryView, "owner" | "parent" | "isFork" | "right" | "transfer"> {
  readonly ownerId: number;
  readonly parentId: number | null;
  readonly transfer: { readonly doerId: number; readonly recipientId: number } | undefined;
  readonly located: LocatedRepository;
}

const columns = [
  "r.description",
  "r.website",
  "r.original_url",
  "r.is_template",
  "r.trust_model",
  "r.avatar",
  "r.preview",
  "r.language",
  "r.licenses",
  "s.size_bytes",
  "r.files_bytes",
  "r.stars_count",
  "r.forks_count",
  "r.watchers_count",
  "r.branches_count",
  "r.open_issues_count",
  "r.open_pulls_count",
  "r.releases_count",
  "r.created_ms",
  "r.updated_ms",
  "r.archived_ms",
] as const;

/** Topic names contain no commas. */
const topicNames = sql<string | null>`(
  select string_agg(t.name, ',') from repository_topics rt join topics t on t.id = rt.topic_id where rt.repo_id = r.id)`;

/** A deleted parent is ignored until it is restored. */
const parentId = sql<number | null>`(select p.id from repositories p where p.id = r.fork_of and p.deleted_ms is null)`;

const starredMs = (actorId: Slots<{ actorId: number }>["actorId"]) =>
  sql<number | null>`(select m.created_ms from stars m where m.repo_id = r.id and m.account_id = ${actorId})`;

const withColumns = (located: ReturnType<typeof selectLocatedEver>, actorId: Slots<{ actorId: number }>["actorId"]) =>
  located
    .leftJoin("pull_mirrors as pm", "pm.repo_id", "r.id")
    .leftJoin("repository_transfers as tf", "tf.repo_id", "r.id")
    .select([
      ...columns,
      parentId.as("parent_id"),
      "tf.doer_id",
      "tf.recipient_id",
      topicNames.as("topics"),
      starredMs(actorId).as("starred_ms"),
      watchingCode(sql.ref("r.id"), actorId).as("watching"),
      "pm.interval_ms as mirror_interval_ms",
      "pm.synced_ms as mirrored_ms",
    ]);

const selectRows = compiled((db, given: Slots<{ ids: readonly number[]; actorId: number }>) =>
  withColumns(selectLocated(db, given.actorId), given.actorId).where((eb) => anyOf(db, eb.ref("r.id"), given.ids)),
);
type Row = Awaited<ReturnType<typeof selectRows>>[number];

/** Includes a deleted repository. */
const selectEver = compiled((db, given: Slots<{ id: number; actorId: number }>) =>
  withColumns(selectLocatedEver(db, given.actorId), given.actorId).where("r.id", "=", given.id),
);

/** A repository by its id, including a deleted one that can be restored. */
export async function findRepositoryRowEver(db: Reader, id: number, actorId: number): Promise<RepositoryRow | undefined> {
  const [row] = await selectEver(db, { id, actorId });
  return row && toRow(row);
}

/**
 * Repositories by id, and the parents of forks, with the rights of one actor. One statement, and one more if there are forks: querying
 * both at once costs more than twice as much if there are none.
 * @param actorId 0 for an anonymous actor
 */
export async function loadRepositoryRows(db: Reader, ids: readonly number[], actorId: number): Promise<ReadonlyMap<number, RepositoryRow>> {
  if (ids.length === 0) return new Map();
  const rows = new Map<number, RepositoryRow>();
  for (const row of await selectRows(db, { ids, actorId })) rows.set(row.id, toRow(row));
  const parentIds = [...rows.values()].flatMap(({ parentId }) => (parentId === null || rows.has(parentId) ? [] : [parentId]));
  if (parentIds.length > 0) for (const row of await selectRows(db, { ids: parentIds, actorId })) rows.set(row.id, toRow(row));
  return rows;
}

const splitList = (text: string): string[] => (text === "" ? [] : text.split(","));

function toRow(row: Row): RepositoryRow {
  const located = toLocated(row);
  return {
    id: row.id,
    ownerId: row.owner_id,
    parentId: row.parent_id,
    transfer: row.doer_id === null || row.recipient_id === null ? undefined : { doerId: row.doer_id, recipientId: row.recipient_id },
    located,
    name: row.name,
    description: row.description,
    website: row.website,
    originalUrl: row.original_url,
    isPrivate: located.isPrivate,
    isTemplate: row.is_template === 1,
    isArchived: located.isArchived,
    isMirror: located.isMirror,
    mirror: row.mirror_interval_ms === null ? undefined : { intervalMs: row.mirror_interval_ms, syncedMs: row.mirrored_ms ?? 0 },
    isEmpty: located.isEmpty,
    settings: located.settings,
    objectFormat: located.objectFormat,
    defaultBranch: located.defaultBranch,
    trustModel: row.trust_model,
    avatar: row.avatar,
    preview: row.preview,
    language: row.language,
    licenses: splitList(row.licenses),
    topics: splitList(row.topics ?? "").sort(),
    sizeBytes: row.size_bytes + row.files_bytes,
    starsCount: row.stars_count,
    forksCount: row.forks_count,
    watchersCount: row.watchers_count,
    isStarred: row.starred_ms !== null,
    watching: toWatching(row.watching),
    branchesCount: row.branches_count,
    openIssuesCount: row.open_issues_count,
    openPullsCount: row.open_pulls_count,
    releasesCount: row.releases_count,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
    archivedMs: row.archived_ms,
  };
}
