import type { Conversion } from "./context.ts";
import { type ForeignRow, flagOf, knownId, millisOf, millisOrNull, numberOf, textOf } from "./source.ts";
import { type Adding, type ConvertedIssues, type ConvertedTracker, childRows, type IssueSummary, type TrackerInput } from "./tracker-input.ts";

/** Numbers of comment types that count as comments of an issue: comments, those on lines, reviews. */
const countedTypes = "0, 21, 22";
const lockType = 23;

/** The issues of a repository: a second issue with the same number is broken. */
export async function listIssues({ source, report }: Conversion, { plan, known, pulls }: TrackerInput): Promise<ConvertedIssues> {
  const { database } = source;
  const of = (statement: string): Promise<readonly ForeignRow[]> => database.all(statement, [plan.id]);
  const rows = await of(`select id, "index", is_pull, is_closed, milestone_id from issue where repo_id = ? order by id`);
  const [milestones, [last], pins, locks, counts] = [
    new Set((await of("select id from milestone where repo_id = ?")).map((row) => numberOf(row.id))),
    await of("select max_index from issue_index where group_id = ?"),
    new Map((await of("select issue_id, pin_order from issue_pin where repo_id = ?")).map((row) => [numberOf(row.issue_id), numberOf(row.pin_order)])),
    new Map(
      (
        await of(
          `select c.issue_id, c.content, i.is_locked from issue i join comment c on c.issue_id = i.id where i.repo_id = ? and c.type = ${lockType} order by c.id`,
        )
      )
        .filter((row) => flagOf(row.is_locked) === 1)
        .map((row) => [numberOf(row.issue_id), textOf(row.content)]),
    ),
    new Map(
      (
        await of(
          `select c.issue_id, count(*) as n from issue i join comment c on c.issue_id = i.id left join review r on r.id = c.review_id
          where i.repo_id = ? and c.type in (${countedTypes}) and not (c.type = 21 and coalesce(r.type, -1) = 0) group by c.issue_id`,
        )
      ).map((row) => [numberOf(row.issue_id), numberOf(row.n)]),
    ),
  ];
  const facts = new Map<number, IssueSummary>();
  let lastNumber = numberOf(last?.max_index);
  for (const row of rows) {
    const [id, number] = [numberOf(row.id), numberOf(row.index)];
    if (known.brokenIssues.has(id)) continue;
    lastNumber = Math.max(lastNumber, number);
    const isPull = flagOf(row.is_pull) === 1 && pulls.byIssue.has(id);
    if (flagOf(row.is_pull) === 1 && !isPull) report.without("pull requests without a commit, which become issues", `${plan.shownAs}#${number}`);
    if (flagOf(row.is_pull) === 0 && pulls.byIssue.has(id)) report.without("branches of issues that are no pull requests", `${plan.shownAs}#${number}`);
    if (numberOf(row.milestone_id) > 0 && !milestones.has(numberOf(row.milestone_id)))
      report.without("milestones of issues that no longer exist", `${plan.shownAs}#${number}`);
    facts.set(id, {
      number,
      isPull,
      isClosed: flagOf(row.is_closed) === 1,
      milestoneId: milestones.has(numberOf(row.milestone_id)) ? numberOf(row.milestone_id) : 0,
      comments: counts.get(id) ?? 0,
      pinOrder: pins.get(id) ?? 0,
      lockReason: locks.get(id) ?? "",
    });
  }
  report.count("issues", [...facts.values()].filter(({ isPull }) => !isPull).length);
  report.count("pull requests", [...facts.values()].filter(({ isPull }) => isPull).length);
  return { facts, lastNumber };
}

export interface AddingIssues extends Adding {
  readonly labels: ReadonlySet<number>;
  readonly milestones: ReadonlySet<number>;
}

export async function addIssueRows(conversion: Conversion, { plan, known, issues }: ConvertedTracker, { batch, ids, labels }: AddingIssues): Promise<void> {
  const { report } = conversion;
  for (const row of await childRows(conversion, "issue", ids, "id")) {
    const facts = issues.facts.get(numberOf(row.id));
    if (facts === undefined) continue;
    batch.add("issues", {
      id: numberOf(row.id),
      repo_id: plan.id,
      number: facts.number,
      is_pull: facts.isPull ? 1 : 0,
      poster_id: knownId(row.poster_id, known.accounts.kinds),
      title: textOf(row.name),
      content: textOf(row.content),
      content_version: numberOf(row.content_version),
      is_closed: facts.isClosed ? 1 : 0,
      closed_ms: facts.isClosed ? (millisOrNull(row.closed_unix) ?? millisOf(row.updated_unix)) : null,
      milestone_id: facts.milestoneId === 0 ? null : facts.milestoneId,
      deadline_ms: millisOrNull(row.deadline_unix),
      is_locked: flagOf(row.is_locked),
      lock_reason: facts.lockReason,
      ref: textOf(row.ref),
      time_estimate_seconds: numberOf(row.time_estimate),
      pin_order: facts.pinOrder,
      comments_count: facts.comments,
      original_author: textOf(row.original_author),
      original_author_id: numberOf(row.original_author_id),
      created_ms: millisOf(row.created_unix),
      updated_ms: millisOf(row.updated_unix),
    });
  }
  const nameOf = (row: ForeignRow): string => `${plan.shownAs}#${issues.facts.get(numberOf(row.issue_id))?.number}`;
  const linked = new Set<string>();
  for (const row of await childRows(conversion, "issue_label", ids)) {
    const [issueId, labelId] = [numberOf(row.issue_id), numberOf(row.label_id)];
    const key = `${issueId} ${labelId}`;
    if (!labels.has(labelId) || linked.has(key)) report.without("labels of issues that no longer exist", nameOf(row));
    else batch.add("issue_labels", { issue_id: issueId, label_id: labelId });
    linked.add(key);
  }
  const assigned = new Set<string>();
  for (const row of await childRows(conversion, "issue_assignees", ids)) {
    const [issueId, accountId] = [numberOf(row.issue_id), numberOf(row.assignee_id)];
    const key = `${issueId} ${accountId}`;
    if (known.accounts.kinds.get(accountId) !== "user" || assigned.has(key)) report.without("assignees that no longer exist", nameOf(row));
    else batch.add("issue_assignees", { issue_id: issueId, account_id: accountId, position: numberOf(row.id) });
    assigned.add(key);
  }
}
