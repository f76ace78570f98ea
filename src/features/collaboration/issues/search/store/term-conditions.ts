import { type RawBuilder, type SqlBool, sql } from "kysely";
import { anyOf } from "../../../../../db/any-of.ts";
import type { Reader } from "../../../../../db/db.ts";
import { lastChange } from "../../../../../db/update-time.ts";
import type { CloseReason } from "../../close-reason.ts";
import type { IssueFact, PersonRole, ReviewOutcome, SpanSubject } from "../query-language.ts";
import type { Span } from "../query-values.ts";
import type { Sql } from "./filter.ts";

export type Condition = RawBuilder<SqlBool>;

/** A term of a query whose names are resolved. */
export type ResolvedTerm = { readonly isNegated: boolean } & (
  | { readonly kind: "label" | "base" | "head"; readonly names: readonly string[] }
  /** Folded titles. */
  | { readonly kind: "milestone"; readonly titles: readonly string[] }
  | { readonly kind: "person"; readonly role: PersonRole; readonly ids: readonly number[] }
  | { readonly kind: "repo" | "owner"; readonly ids: readonly number[] }
  | { readonly kind: "review"; readonly outcomes: readonly ReviewOutcome[] }
  | { readonly kind: "reason"; readonly reasons: readonly CloseReason[] }
  | { readonly kind: "fact"; readonly fact: IssueFact }
  | { readonly kind: "span"; readonly subject: SpanSubject; readonly spans: readonly Span[] }
);

/** A condition on issues `i` that is never null, so that it can be negated. It reads indexes by the id of the issue only. */
export function conditionOf(db: Reader, term: ResolvedTerm): Condition {
  const condition = positive(db, term);
  return term.isNegated ? sql`not (${condition})` : condition;
}

function positive(db: Reader, term: ResolvedTerm): Condition {
  switch (term.kind) {
    case "label":
      return sql`exists (select 1 from issue_labels l where l.issue_id = i.id and ${anyOf(db, sql<string>`l.name`, term.names)})`;
    case "milestone":
      return sql`(i.milestone_title is not null and ${anyOf(db, sql<string>`i.milestone_title`, term.titles)})`;
    case "base":
    case "head":
      return sql`exists (select 1 from pull_requests p where p.issue_id = i.id
        and ${anyOf(db, term.kind === "base" ? sql<string>`p.base_branch` : sql<string>`p.head_branch`, term.names)})`;
    case "person":
      return sql`(${sql.join(
        partsOf(term.role).map((part) => personConditions[part](db, term.ids)),
        sql` or `,
      )})`;
    case "repo":
      return anyOf(db, sql<number>`i.repo_id`, term.ids);
    case "owner":
      return sql`exists (select 1 from repositories o where o.id = i.repo_id and ${anyOf(db, sql<number>`o.owner_id`, term.ids)})`;
    case "review":
      return sql`(i.is_pull = 1 and (${sql.join(
        term.outcomes.map((outcome) => reviewConditions[outcome]),
        sql` or `,
      )}))`;
    case "reason":
      return sql`(i.is_closed = 1 and i.is_pull = 0 and ${anyOf(db, sql<string>`i.close_reason`, term.reasons)})`;
    case "fact":
      return factConditions[term.fact];
    case "span":
      return sql`(${sql.join(
        term.spans.map((span) => spanCondition(db, term.subject, span)),
        sql` or `,
      )})`;
  }
}

type SingleRole = Exclude<PersonRole, "involves">;
const partsOf = (role: PersonRole): readonly SingleRole[] => (role === "involves" ? ["author", "assignee", "mentions", "commenter"] : [role]);

const personConditions: Readonly<Record<SingleRole, (db: Reader, ids: readonly number[]) => Condition>> = {
  author: (db, ids) => sql`(i.poster_id is not null and ${anyOf(db, sql<number>`i.poster_id`, ids)})`,
  assignee: (db, ids) => sql`exists (select 1 from issue_assignees a where a.issue_id = i.id and ${anyOf(db, sql<number>`a.account_id`, ids)})`,
  mentions: (db, ids) => sql`exists (select 1 from issue_mentions m where m.issue_id = i.id and ${anyOf(db, sql<number>`m.account_id`, ids)})`,
  commenter: (db, ids) =>
    sql`exists (select 1 from comments c where c.issue_id = i.id and c.kind in ('comment', 'review') and c.poster_id is not null
      and ${anyOf(db, sql<number>`c.poster_id`, ids)})`,
  "review-requested": (db, ids) =>
    sql`exists (select 1 from reviews v where v.issue_id = i.id and v.kind = 'request' and (${anyOf(db, sql<number>`v.reviewer_id`, ids)}
      or exists (select 1 from team_members t where t.team_id = v.team_id and ${anyOf(db, sql<number>`t.account_id`, ids)})))`,
  "reviewed-by": (db, ids) =>
    sql`exists (select 1 from reviews v where v.issue_id = i.id and v.kind in ('approve', 'reject', 'comment') and ${anyOf(db, sql<number>`v.reviewer_id`, ids)})`,
};

/** Whether a verdict is the last one of some reviewer, and counts. */
const lastVerdict = (kind: Sql): Condition => sql`exists (select 1 from reviews v where v.issue_id = i.id and v.kind = ${kind} and v.is_dismissed = 0
  and not exists (select 1 from reviews later where later.issue_id = v.issue_id and later.reviewer_id = v.reviewer_id
    and later.kind in ('approve', 'reject') and later.id > v.id))`;

const isApproved = lastVerdict(sql`'approve'`);
const isRejected = lastVerdict(sql`'reject'`);

const reviewConditions: Readonly<Record<ReviewOutcome, Condition>> = {
  none: sql`not exists (select 1 from reviews v where v.issue_id = i.id and v.kind in ('approve', 'reject', 'comment'))`,
  required: sql`not (${isApproved}) and not (${isRejected})`,
  approved: sql`${isApproved} and not (${isRejected})`,
  changes_requested: isRejected,
};

/** The references of a text that closes an issue are entries of the issue. */
const closes = sql`c.ref_issue_id is not null and c.payload like '%"refAction":"closes"%'`;

const factConditions: Readonly<Record<IssueFact, Condition>> = {
  draft: sql`(i.is_pull = 1 and (lower(ltrim(i.title)) like 'wip:%' or lower(ltrim(i.title)) like '[wip]%'))`,
  merged: sql`exists (select 1 from pull_requests p where p.issue_id = i.id and p.merged_ms is not null)`,
  locked: sql`i.is_locked = 1`,
  pinned: sql`i.pin_order > 0`,
  linked: sql`(exists (select 1 from comments c where c.issue_id = i.id and ${closes})
    or exists (select 1 from comments c where c.ref_issue_id = i.id and ${closes}))`,
  label: sql`exists (select 1 from issue_labels l where l.issue_id = i.id)`,
  milestone: sql`i.milestone_title is not null`,
  assignee: sql`exists (select 1 from issue_assignees a where a.issue_id = i.id)`,
};

const columns = { created: sql`i.created_ms`, closed: sql`i.closed_ms`, comments: sql`i.comments_count` } as const;

function spanCondition(db: Reader, subject: SpanSubject, span: Span): Condition {
  if (subject === "merged") return sql`exists (select 1 from pull_requests p where p.issue_id = i.id and ${within(sql`p.merged_ms`, span)})`;
  return within(subject === "updated" ? lastChange(db, "i") : columns[subject], span);
}

const within = (column: Sql, { from, to }: Span): Condition =>
  sql`(${sql.join(
    [sql`${column} is not null`, ...(Number.isFinite(from) ? [sql`${column} >= ${from}`] : []), ...(Number.isFinite(to) ? [sql`${column} <= ${to}`] : [])],
    sql` and `,
  )})`;
