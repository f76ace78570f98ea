import { sql } from "kysely";
import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader } from "../../../../db/db.ts";
import { updateOrder } from "../../../../db/update-time.ts";
import type { PullRow } from "../model.ts";
import { selectPulls, toPullRow } from "./rows.ts";

export type PullOrder = "newest" | "oldest" | "recentupdate" | "leastupdate" | "mostcomment" | "leastcomment" | "recentclose";

/** Filters of a list; an undefined filter matches everything. */
export interface PullFilter {
  readonly repoId: number;
  readonly isClosed: boolean | undefined;
  readonly milestoneId: number | undefined;
  /** At least one of these labels. */
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

interface FilterValues {
  readonly [name: string]: number | string | readonly number[];
  readonly repoId: number;
  readonly isClosed: number;
  readonly milestoneId: number;
  readonly labelIds: readonly number[];
  readonly posterId: number;
  readonly baseBranch: string;
}

type Asks = (part: keyof PullFilter) => boolean;

function matching(db: Reader, asks: Asks, given: Slots<FilterValues>) {
  let query = db.sql.selectFrom("issues as m").where("m.repo_id", "=", given.repoId).where("m.is_pull", "=", 1);
  if (asks("isClosed")) query = query.where("m.is_closed", "=", given.isClosed);
  if (asks("milestoneId")) query = query.where("m.milestone_id", "=", given.milestoneId);
  if (asks("posterId")) query = query.where("m.poster_id", "=", given.posterId);
  if (asks("labelIds"))
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom("issue_labels as l")
          .select("l.label_id")
          .whereRef("l.issue_id", "=", "m.id")
          .where((inner) => anyOf(db, inner.ref("l.label_id"), given.labelIds)),
      ),
    );
  if (asks("baseBranch"))
    query = query.where((eb) =>
      eb.exists(eb.selectFrom("pull_requests as q").select("q.id").whereRef("q.issue_id", "=", "m.id").where("q.base_branch", "=", given.baseBranch)),
    );
  return query;
}

type PageValues = FilterValues & { readonly limit: number; readonly offset: number };

/** Statement for a page in one order with some filters. Includes the counts stored with the repository. */
const pageStatement = ([column, direction]: (typeof orders)[PullOrder], asks: Asks) =>
  compiled((db, given: Slots<PageValues>) => {
    const ordered = (alias: "m" | "i") => {
      const columns = column === "updated_ms" ? updateOrder(db, alias) : [sql.ref(`${alias}.${column}`)];
      return sql.join([...columns, sql.ref(`${alias}.id`)].map((term) => sql`${term} ${sql.raw(direction)}`));
    };
    const ids = matching(db, asks, given).select("m.id").orderBy(ordered("m")).limit(given.limit).offset(given.offset);
    return selectPulls(db)
      .select(["br.open_pulls_count", "br.closed_pulls_count"])
      .where("p.issue_id", "in", sql<number>`(select id from ${ids} as page)`)
      .orderBy(ordered("i"));
  });

const countStatement = (asks: Asks) =>
  compiled((db, given: Slots<FilterValues>) => matching(db, asks, given).select((eb) => eb.fn.countAll<number>().as("total")));

/** Prepared statements by filters and order, built on first use. */
const pageStatements = new Map<string, ReturnType<typeof pageStatement>>();
const countStatements = new Map<string, ReturnType<typeof countStatement>>();

function kept<T>(statements: Map<string, T>, key: string, build: () => T): T {
  const known = statements.get(key) ?? build();
  statements.set(key, known);
  return known;
}

/** A page of pull requests with the total: one statement, and one to count if neither the page nor the repository knows the total. */
export async function pagePulls(db: Reader, filter: PullFilter, order: PullOrder, page: Page): Promise<Paged<PullRow>> {
  const { repoId, isClosed, milestoneId = 0, labelIds = [], posterId = 0, baseBranch = "" } = filter;
  const asks: Asks = (part) => filter[part] !== undefined;
  const requested = (["isClosed", "milestoneId", "labelIds", "posterId", "baseBranch"] as const).filter(asks);
  const values = { repoId, isClosed: isClosed === true ? 1 : 0, milestoneId, labelIds, posterId, baseBranch };
  const statement = kept(pageStatements, `${order} ${requested}`, () => pageStatement(orders[order], asks));
  const rows = await statement(db, { ...values, limit: page.limit, offset: page.offset });
  const items = rows.map(toPullRow);
  const isLast = rows.length < page.limit && (rows.length > 0 || page.offset === 0);
  if (isLast) return { items, total: page.offset + rows.length };
  const [first] = rows;
  if (first !== undefined && requested.every((part) => part === "isClosed")) {
    const { open_pulls_count: open, closed_pulls_count: closed } = first;
    return { items, total: isClosed === undefined ? open + closed : isClosed ? closed : open };
  }
  const [counted] = await kept(countStatements, `${requested}`, () => countStatement(asks))(db, values);
  return { items, total: Number(counted?.total ?? 0) };
}

/** Base branch of a repository, and head branch in the same or another repository. */
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

/** The newest pull request from one branch into another, preferring an open one. */
export async function findNewestPull(db: Reader, ends: PullEnds): Promise<PullRow | undefined> {
  const row = await ofEnds(db, ends).orderBy("i.is_closed").orderBy("p.id", "desc").limit(1).executeTakeFirst();
  return row && toPullRow(row);
}

/** The pull request with this merge commit. */
export async function findPullOfMerge(db: Reader, repoId: number, commitOid: string): Promise<PullRow | undefined> {
  const row = await selectPulls(db).where("p.repo_id", "=", repoId).where("p.merge_commit_oid", "=", commitOid).limit(1).executeTakeFirst();
  return row && toPullRow(row);
}
