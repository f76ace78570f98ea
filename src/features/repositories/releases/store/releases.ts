import { sql } from "kysely";
import type { Page } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { KnownRelease, ReleaseFilter, ReleaseInput } from "../model.ts";

const columns = ["id", "repo_id", "tag_name", "target", "title", "note", "is_draft", "is_prerelease", "author_id", "created_ms", "published_ms"] as const;

interface Row {
  readonly id: number;
  readonly repo_id: number;
  readonly tag_name: string;
  readonly target: string;
  readonly title: string;
  readonly note: string;
  readonly is_draft: number;
  readonly is_prerelease: number;
  readonly author_id: number | null;
  readonly created_ms: number;
  readonly published_ms: number;
}

const toRelease = (row: Row): KnownRelease => ({
  id: row.id,
  repoId: row.repo_id,
  tagName: row.tag_name,
  target: row.target,
  title: row.title,
  note: row.note,
  isDraft: row.is_draft === 1,
  isPrerelease: row.is_prerelease === 1,
  authorId: row.author_id,
  createdMs: row.created_ms,
  publishedMs: row.published_ms,
});

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0);

function filtered(db: Reader, repoId: number, { isDraft, isPrerelease }: ReleaseFilter) {
  let query = db.sql.selectFrom("releases").where("repo_id", "=", repoId);
  if (isDraft !== undefined) query = query.where("is_draft", "=", flag(isDraft));
  if (isPrerelease !== undefined) query = query.where("is_prerelease", "=", flag(isPrerelease));
  return query;
}

const newestFirst = (query: ReturnType<typeof filtered>) => query.select(columns).orderBy("published_ms", "desc").orderBy("id", "desc");

/** Newest first. Two statements, one if the page contains all releases. */
export async function pageReleases(
  db: Reader,
  repoId: number,
  filter: ReleaseFilter,
  page: Page,
): Promise<{ readonly items: readonly KnownRelease[]; readonly total: number }> {
  const query = filtered(db, repoId, filter);
  const rows = await newestFirst(query).limit(page.limit).offset(page.offset).execute();
  const items = rows.map(toRelease);
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { items, total: Number(total) };
}

export async function findRelease(db: Reader, repoId: number, id: number): Promise<KnownRelease | undefined> {
  const row = await db.sql.selectFrom("releases").select(columns).where("repo_id", "=", repoId).where("id", "=", id).executeTakeFirst();
  return row && toRelease(row);
}

export async function findReleaseOfTag(db: Reader, repoId: number, tagName: string): Promise<KnownRelease | undefined> {
  const row = await db.sql.selectFrom("releases").select(columns).where("repo_id", "=", repoId).where("tag_name", "=", tagName).executeTakeFirst();
  return row && toRelease(row);
}

/** The latest release that is neither a draft nor a pre-release. */
export async function findLatestRelease(db: Reader, repoId: number): Promise<KnownRelease | undefined> {
  const row = await newestFirst(filtered(db, repoId, { isDraft: false, isPrerelease: false }))
    .limit(1)
    .executeTakeFirst();
  return row && toRelease(row);
}

const valuesOf = (input: ReleaseInput) => ({
  tag_name: input.tagName,
  target: input.target,
  title: input.title,
  note: input.note,
  is_draft: flag(input.isDraft),
  is_prerelease: flag(input.isPrerelease),
  published_ms: input.publishedMs,
});

/** @param author the original author of an imported release */
export async function insertRelease(tx: Tx, input: ReleaseInput, author = { name: "", id: 0 }): Promise<number> {
  const from = { original_author: author.name, original_author_id: author.id };
  const { id } = await tx.sql
    .insertInto("releases")
    .values({ ...valuesOf(input), repo_id: input.repoId, author_id: input.authorId, created_ms: input.createdMs, ...from })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateRelease(tx: Tx, release: KnownRelease): Promise<void> {
  await tx.sql.updateTable("releases").set(valuesOf(release)).where("id", "=", release.id).execute();
}

export async function deleteRelease(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("releases").where("id", "=", id).execute();
}

/** Turns the releases of some tags, or of all missing tags, into drafts. @returns the changed releases in their new state */
export async function draftWithoutTag(
  tx: Tx,
  repoId: number,
  tags: { readonly names: readonly string[] } | { readonly missingIn: number },
): Promise<KnownRelease[]> {
  const rows = await tx.sql
    .updateTable("releases")
    .set({ is_draft: 1, published_ms: sql<number>`created_ms - created_ms % 1000` })
    .where("repo_id", "=", repoId)
    .where("is_draft", "=", 0)
    .where((eb) =>
      "names" in tags
        ? anyOf(tx, eb.ref("tag_name"), tags.names)
        : eb.not(
            eb.exists(
              eb
                .selectFrom("refs")
                .select("refs.name")
                .where("refs.store_id", "=", tags.missingIn)
                .where("refs.name", "=", sql<string>`'refs/tags/' || releases.tag_name`),
            ),
          ),
    )
    .returning(columns)
    .execute();
  return rows.map(toRelease);
}
