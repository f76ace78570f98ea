import { sql } from "kysely";
import type { Page, Paged } from "../../../core/paging.ts";
import { anyOf } from "../../../db/any-of.ts";
import type { Reader } from "../../../db/db.ts";
import type { PullRow } from "../view.ts";
import { selectPulls, toPullRow } from "./rows.ts";

export type PullOrder = "newest" | "oldest" | "recentupdate" | "leastupdate" | "mostcomment" | "leastcomment" | "recentclose";

/** Which pull requests are listed. What is undefined filters nothing. */
export interface PullFilter {
  readonly repoId: number;
  readonly isClosed: boolean | undefined;
  readonly milestoneId: number | undefined;
  /** One of these is enough. */
  readonly labelIds: readonly number[] | undefined;
  readonly posterId: number | undefined;
  readonly baseBranch: string | undefined;
}

const orders = {
  newest: ["id", "desc"],
  oldest: ["id", "asc"],
  recentupdate: ["updated_ms", "desc"],
  leastupdate: ["updated_ms", "asc"],
  mostcomment: ["comments_count", "desc"],
  leastcomment: ["comments_count", "asc"],
  recentclose: ["closed_ms", "desc"],
} as const satisfies Record<PullOrder, readonly [string, "asc" | "desc"]>;

function matching(db: Reader, filter: PullFilter) {
  const { repoId, isClosed, milestoneId, labelIds, posterId, baseBranch } = filter;
  let query = db.sql.selectFrom("issues as m").where("m.repo_id", "=", repoId).where("m.is_pull", "=", 1);
  if (isClosed !== undefined) query = query.where("m.is_closed", "=", isClosed ? 1 : 0);
  if (milestoneId !== undefined) query = query.where("m.milestone_id", "=", milestoneId);
  if (posterId !== undefined) query = query.where("m.poster_id", "=", posterId);
  if (labelIds !== undefined)
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom("issue_labels as l")
          .select("l.label_id")
          .whereRef("l.issue_id", "=", "m.id")
          .where((inner) => anyOf(db, inner.ref("l.label_id"), labelIds)),
      ),
    );
  if (baseBranch !== undefined)
    query = query.where((eb) =>
      eb.exists(eb.selectFrom("pull_requests as q").select("q.id").whereRef("q.issue_id", "=", "m.id").where("q.base_branch", "=", baseBranch)),
    );
  return query;
}

/** Pull requests of a page and how many match: one statement, and one to count where the page does not show that there are no more. */
export async function pagePulls(
  db: Reader,
  filter: PullFilter,
  order: PullOrder,
  page: Page,
  kept: () => Promise<number | undefined>,
): Promise<Paged<PullRow>> {
  const [column, direction] = orders[order];
  const ids = matching(db, filter).select("m.id").orderBy(`m.${column}`, direction).orderBy("m.id", direction).limit(page.limit).offset(page.offset);
  const rows = await selectPulls(db)
    .where("p.issue_id", "in", sql<number>`(select id from ${ids} as page)`)
    .orderBy(`i.${column}`, direction)
    .orderBy("i.id", direction)
    .execute();
  const isLast = rows.length < page.limit && (rows.length > 0 || page.offset === 0);
  return { items: rows.map(toPullRow), total: isLast ? page.offset + rows.length : ((await kept()) ?? (await countPulls(db, filter))) };
}

async function countPulls(db: Reader, filter: PullFilter): Promise<number> {
  const { total } = await matching(db, filter)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** What the repository keeps count of. */
export async function keptPulls(db: Reader, repoId: number): Promise<{ readonly open: number; readonly closed: number }> {
  const row = await db.sql.selectFrom("repositories").select(["open_pulls_count", "closed_pulls_count"]).where("id", "=", repoId).executeTakeFirst();
  return { open: row?.open_pulls_count ?? 0, closed: row?.closed_pulls_count ?? 0 };
}

/** A branch of a repository, or one in another that is merged from. */
export interface PullEnds {
  readonly repoId: number;
  readonly baseBranch: string;
  readonly headRepoId: number;
  readonly headBranch: string;
}

const ofEnds = (db: Reader, { repoId, baseBranch, headRepoId, headBranch }: PullEnds) =>
  selectPulls(db)
    .where("p.repo_id", "=", repoId)
    .where("p.base_branch", "=", baseBranch)
    .where("p.head_repo_id", "=", headRepoId)
    .where("p.head_branch", "=", headBranch);

/** The open pull request from one branch into another. */
export async function findOpenPull(db: Reader, ends: PullEnds, flow: PullRow["flow"] = "branch"): Promise<PullRow | undefined> {
  const row = await ofEnds(db, ends).where("i.is_closed", "=", 0).where("p.flow", "=", flow).executeTakeFirst();
  return row && toPullRow(row);
}

/** The newest pull request from one branch into another: an open one before all others. */
export async function findNewestPull(db: Reader, ends: PullEnds): Promise<PullRow | undefined> {
  const row = await ofEnds(db, ends).orderBy("i.is_closed").orderBy("p.id", "desc").limit(1).executeTakeFirst();
  return row && toPullRow(row);
}

/** The pull request that a commit of the base branch came with: that whose merge commit it is. */
export async function findPullOfMerge(db: Reader, repoId: number, commitOid: string): Promise<PullRow | undefined> {
  const row = await selectPulls(db).where("p.repo_id", "=", repoId).where("p.merge_commit_oid", "=", commitOid).limit(1).executeTakeFirst();
  return row && toPullRow(row);
}
