import type { Reader } from "../../db/db.ts";
import { lastChange } from "../../db/update-time.ts";
import { assetsOf, type ExportedRepository, idsOf, type Line, lines, namesOf, pageRows, time, userOf, type WantedFiles, withAuthors } from "./rows-store.ts";

/**
 * The rows of a repository as lines of an export: objects of the API, reduced to the members that an import reads (docs/export.md). Lists are read
 * in pages, in the order of ids.
 */

/** One object: the repository itself. */
export async function repositoryObject(db: Reader, { id, owner }: ExportedRepository): Promise<Line> {
  const row = await db.sql.selectFrom("repositories").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const topics = await db.sql
    .selectFrom("repository_topics as r")
    .innerJoin("topics as t", "t.id", "r.topic_id")
    .select("t.name")
    .where("r.repo_id", "=", id)
    .orderBy("t.name")
    .execute();
  return {
    full_name: `${owner}/${row.name}`,
    description: row.description,
    website: row.website,
    topics: topics.map(({ name }) => name),
    private: row.is_private === 1,
    default_branch: row.default_branch,
    last_issue_number: row.last_issue_number,
    created_at: time(row.created_ms),
  };
}

/** Labels of the repository, and those of its organization that its issues have. */
export const labelLines = (db: Reader, { id }: ExportedRepository): AsyncGenerator<string> =>
  lines(
    (after) =>
      db.sql
        .selectFrom("labels as l")
        .select(["l.id", "l.name", "l.color", "l.description", "l.is_exclusive", "l.is_archived"])
        .where((eb) =>
          eb.or([
            eb("l.repo_id", "=", id),
            eb.exists(
              eb
                .selectFrom("issue_labels as i")
                .select("i.label_id")
                .whereRef("i.label_id", "=", "l.id")
                .where("i.repo_id", "=", id)
                .where("l.org_id", "is not", null),
            ),
          ]),
        )
        .where("l.id", ">", after)
        .orderBy("l.id")
        .limit(pageRows)
        .execute(),
    async (rows) => rows.map(({ is_exclusive, is_archived, ...label }) => ({ ...label, exclusive: is_exclusive === 1, is_archived: is_archived === 1 })),
  );

export const milestoneLines = (db: Reader, { id }: ExportedRepository): AsyncGenerator<string> =>
  lines(
    (after) => db.sql.selectFrom("milestones").selectAll().where("repo_id", "=", id).where("id", ">", after).orderBy("id").limit(pageRows).execute(),
    async (rows) =>
      rows.map((row) => ({
        id: row.id,
        title: row.title,
        description: row.description,
        state: row.is_closed === 1 ? "closed" : "open",
        due_on: time(row.due_ms),
        closed_at: time(row.closed_ms),
        created_at: time(row.created_ms),
      })),
  );

/** Issues, or pull requests with their requested reviewers. */
export const issueLines = (db: Reader, repository: ExportedRepository, wanted: WantedFiles, kind: "issues" | "pulls"): AsyncGenerator<string> =>
  lines(
    (after) =>
      db.sql
        .selectFrom("issues")
        .selectAll()
        .select(["poster_id as accountId", lastChange(db, "issues").as("last_change_ms")])
        .where("repo_id", "=", repository.id)
        .where("is_pull", "=", kind === "pulls" ? 1 : 0)
        .where("id", ">", after)
        .orderBy("id")
        .limit(pageRows)
        .execute(),
    async (rows) => {
      const ids = idsOf(rows);
      if (ids.length === 0) return [];
      const labels = Map.groupBy(
        await db.sql.selectFrom("issue_labels").select(["issue_id", "label_id"]).where("issue_id", "in", ids).orderBy("label_id").execute(),
        ({ issue_id }) => issue_id,
      );
      const assignees = Map.groupBy(
        await db.sql.selectFrom("issue_assignees").select(["issue_id", "account_id"]).where("issue_id", "in", ids).orderBy("position").execute(),
        ({ issue_id }) => issue_id,
      );
      const assets = await assetsOf(db, wanted, "issue_id", ids);
      const pulls = kind === "pulls" ? await pullMembers(db, repository, ids) : new Map<number, Line>();
      return (await withAuthors(db, rows)).map(([row, author]) => ({
        number: row.number,
        title: row.title,
        body: row.content,
        ...author,
        state: row.is_closed === 1 ? "closed" : "open",
        labels: (labels.get(row.id) ?? []).map(({ label_id }) => ({ id: label_id })),
        milestone: row.milestone_id === null ? null : { id: row.milestone_id },
        assignees: (assignees.get(row.id) ?? []).map(({ account_id }) => ({ id: account_id })),
        due_date: time(row.deadline_ms),
        is_locked: row.is_locked === 1,
        ref: row.ref,
        assets: assets.get(row.id) ?? [],
        created_at: time(row.created_ms),
        updated_at: time(row.last_change_ms),
        closed_at: time(row.closed_ms),
        ...pulls.get(row.id),
      }));
    },
  );

async function pullMembers(db: Reader, { id: repoId }: ExportedRepository, issueIds: readonly number[]): Promise<ReadonlyMap<number, Line>> {
  const rows = await db.sql.selectFrom("pull_requests").selectAll().where("issue_id", "in", issueIds).execute();
  const requests = Map.groupBy(
    await db.sql
      .selectFrom("reviews")
      .select(["issue_id", "reviewer_id"])
      .where("issue_id", "in", issueIds)
      .where("kind", "=", "request")
      .where("reviewer_id", "is not", null)
      .orderBy("id")
      .execute(),
    ({ issue_id }) => issue_id,
  );
  const names = await namesOf(
    db,
    rows.map(({ merger_id }) => merger_id),
  );
  return new Map(
    rows.map((row) => [
      row.issue_id,
      {
        base: { ref: row.base_branch, repo_id: repoId },
        head: { ref: row.head_branch, repo_id: row.head_repo_id ?? 0, sha: row.head_oid },
        merge_base: row.merged_merge_base_oid,
        allow_maintainer_edit: row.allows_maintainer_edit === 1,
        requested_reviewers: (requests.get(row.issue_id) ?? []).map(({ reviewer_id }) => ({ id: reviewer_id })),
        merged: row.merged_ms !== null,
        merged_at: time(row.merged_ms),
        merge_commit_sha: row.merge_commit_oid,
        merged_by: userOf(row.merger_id, names),
      },
    ]),
  );
}

export const commentLines = (db: Reader, { id, owner, name }: ExportedRepository, wanted: WantedFiles): AsyncGenerator<string> =>
  lines(
    (after) =>
      db.sql
        .selectFrom("comments as c")
        .innerJoin("issues as i", "i.id", "c.issue_id")
        .select(["c.id", "c.content", "c.poster_id as accountId", "c.original_author", "c.original_author_id", "c.created_ms", "c.updated_ms", "i.number"])
        .where("c.repo_id", "=", id)
        .where((eb) =>
          eb.or([
            eb("c.kind", "=", "comment"),
            // The text of a review that was replaced by a later one.
            eb.and([eb("c.kind", "=", "review"), eb.not(eb.exists(eb.selectFrom("reviews as r").select("r.id").whereRef("r.entry_id", "=", "c.id")))]),
          ]),
        )
        .where("c.id", ">", after)
        .orderBy("c.id")
        .limit(pageRows)
        .execute(),
    async (rows) => {
      const assets = await assetsOf(db, wanted, "comment_id", idsOf(rows));
      return (await withAuthors(db, rows)).map(([row, author]) => ({
        id: row.id,
        issue_url: `${owner}/${name}/issues/${row.number}`,
        body: row.content,
        ...author,
        assets: assets.get(row.id) ?? [],
        created_at: time(row.created_ms),
        updated_at: time(row.updated_ms),
      }));
    },
  );

const states = { approve: "APPROVED", reject: "REQUEST_CHANGES", comment: "COMMENT" } as const;

/** Submitted reviews with their comments on lines. */
export const reviewLines = (db: Reader, { id, owner, name }: ExportedRepository): AsyncGenerator<string> =>
  lines(
    (after) =>
      db.sql
        .selectFrom("reviews as r")
        .innerJoin("issues as i", "i.id", "r.issue_id")
        .innerJoin("pull_requests as p", "p.issue_id", "i.id")
        .leftJoin("comments as c", "c.id", "r.entry_id")
        .select(["r.id", "r.kind", "r.content", "r.reviewer_id as accountId", "r.commit_oid", "r.seen_oid", "r.is_dismissed", "r.entry_id", "r.created_ms"])
        .select(["i.number", "p.head_oid"])
        .select((eb) => [
          eb.fn.coalesce("c.original_author", eb.val("")).as("original_author"),
          eb.fn.coalesce("c.original_author_id", eb.val(0)).as("original_author_id"),
        ])
        .where("i.repo_id", "=", id)
        .where("r.kind", "in", ["approve", "reject", "comment"])
        .where("r.id", ">", after)
        .orderBy("r.id")
        .limit(pageRows)
        .execute(),
    async (rows) => {
      const comments = await lineComments(db, idsOf(rows));
      return (await withAuthors(db, rows)).map(([row, author]) => ({
        id: row.id,
        pull_request_url: `${owner}/${name}/pulls/${row.number}`,
        html_url: `${owner}/${name}/pulls/${row.number}#issuecomment-${row.entry_id ?? 0}`,
        state: states[row.kind as keyof typeof states],
        body: row.content,
        ...author,
        commit_id: row.commit_oid,
        stale: row.seen_oid !== row.head_oid,
        dismissed: row.is_dismissed === 1,
        submitted_at: time(row.created_ms),
        comments: comments.get(row.id) ?? [],
      }));
    },
  );

async function lineComments(db: Reader, reviewIds: readonly number[]): Promise<ReadonlyMap<number, readonly Line[]>> {
  if (reviewIds.length === 0) return new Map();
  const rows = await db.sql
    .selectFrom("review_comments as r")
    .innerJoin("comments as c", "c.id", "r.comment_id")
    .select(["c.id", "c.content", "c.poster_id as accountId", "c.original_author", "c.original_author_id", "c.created_ms", "c.updated_ms"])
    .select(["r.review_id", "r.path", "r.side", "r.line", "r.written_oid", "r.commit_oid", "r.hunk"])
    .where("r.review_id", "in", reviewIds)
    .where("c.kind", "=", "code")
    .orderBy("c.id")
    .execute();
  const written = await withAuthors(db, rows);
  const byReview = Map.groupBy(written, ([{ review_id }]) => review_id);
  return new Map(
    [...byReview].map(([reviewId, own]) => [
      reviewId,
      own.map(([row, author]) => ({
        id: row.id,
        path: row.path,
        position: row.side === "new" ? row.line : 0,
        original_position: row.side === "old" ? row.line : 0,
        commit_id: row.commit_oid,
        written_commit_id: row.written_oid,
        diff_hunk: row.hunk,
        body: row.content,
        ...author,
        created_at: time(row.created_ms),
        updated_at: time(row.updated_ms),
      })),
    ]),
  );
}

/** Reactions to issues, pull requests and comments. */
export const reactionLines = (db: Reader, { id, owner, name }: ExportedRepository): AsyncGenerator<string> =>
  lines(
    (after) =>
      db.sql
        .selectFrom("reactions as r")
        .innerJoin("issues as i", "i.id", "r.issue_id")
        .select(["r.id", "r.content", "r.comment_id", "r.account_id as accountId", "r.original_author", "r.original_author_id", "r.created_ms", "i.number"])
        .where("i.repo_id", "=", id)
        .where("r.id", ">", after)
        .orderBy("r.id")
        .limit(pageRows)
        .execute(),
    async (rows) =>
      (await withAuthors(db, rows)).map(([row, author]) => ({
        issue_url: `${owner}/${name}/issues/${row.number}`,
        comment_id: row.comment_id,
        content: row.content,
        ...author,
        created_at: time(row.created_ms),
      })),
  );

export const releaseLines = (db: Reader, { id }: ExportedRepository, wanted: WantedFiles): AsyncGenerator<string> =>
  lines(
    (after) =>
      db.sql
        .selectFrom("releases")
        .selectAll()
        .select("author_id as accountId")
        .where("repo_id", "=", id)
        .where("id", ">", after)
        .orderBy("id")
        .limit(pageRows)
        .execute(),
    async (rows) => {
      const assets = await assetsOf(db, wanted, "release_id", idsOf(rows));
      return (await withAuthors(db, rows)).map(([row, { user, ...author }]) => ({
        tag_name: row.tag_name,
        target_commitish: row.target,
        name: row.title,
        body: row.note,
        draft: row.is_draft === 1,
        prerelease: row.is_prerelease === 1,
        author: user,
        ...author,
        assets: assets.get(row.id) ?? [],
        created_at: time(row.created_ms),
        published_at: time(row.published_ms),
      }));
    },
  );

export const commitCommentLines = (db: Reader, { id }: ExportedRepository): AsyncGenerator<string> =>
  lines(
    (after) =>
      db.sql
        .selectFrom("commit_comments")
        .select(["id", "commit_oid", "poster_id as accountId", "original_author", "original_author_id", "content", "created_ms", "updated_ms"])
        .where("repo_id", "=", id)
        .where("id", ">", after)
        .orderBy("id")
        .limit(pageRows)
        .execute(),
    async (rows) =>
      (await withAuthors(db, rows)).map(([row, author]) => ({
        id: row.id,
        commit_id: row.commit_oid,
        body: row.content,
        ...author,
        created_at: time(row.created_ms),
        updated_at: time(row.updated_ms),
      })),
  );

/** Git LFS objects: their ids, and their names in the file store. */
export const listLargeFiles = (db: Reader, { id }: ExportedRepository): Promise<readonly { readonly oid: string; readonly file: string }[]> =>
  db.sql
    .selectFrom("lfs_objects as l")
    .innerJoin("stored_files as f", "f.digest", "l.oid")
    .select(["l.oid", "f.file"])
    .where("l.repo_id", "=", id)
    .orderBy("l.oid")
    .execute();

/** @param name undefined for all repositories of the owner */
export const listRepositories = (db: Reader, owner: string, name: string | undefined): Promise<readonly ExportedRepository[]> =>
  db.sql
    .selectFrom("repositories as r")
    .innerJoin("accounts as a", "a.id", "r.owner_id")
    .select(["r.id", "a.name as owner", "r.name", "r.code_store_id as codeStoreId", "r.wiki_store_id as wikiStoreId"])
    .where("a.name_folded", "=", owner)
    .where("r.deleted_ms", "is", null)
    .$if(name !== undefined, (query) => query.where("r.name_folded", "=", name ?? ""))
    .orderBy("r.name_folded")
    .execute();
