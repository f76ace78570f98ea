import { newBatch } from "../../db/row-batch.ts";
import type { Conversion } from "./context.ts";
import { parts } from "./parts.ts";
import type { Known } from "./repository-relations.ts";
import { type ForeignRow, flagOf, millisOf, numberOf, textOf } from "./source.ts";
import { referenceTypes } from "./timeline.ts";
import type { Writes } from "./writes.ts";

const childTables = [
  ["comment", "timeline entries without an issue"],
  ["review", "reviews without an issue"],
  ["pull_request", "pull requests without an issue"],
  ["reaction", "reactions without an issue"],
  ["tracked_time", "tracked times without an issue"],
  ["issue_label", "labels without an issue"],
  ["issue_assignees", "assignees without an issue"],
  ["issue_content_history", "former texts without an issue"],
] as const;

/** Rows about issues that cannot be imported. They are listed once, before anything is written. */
export async function findBrokenIssues(conversion: Conversion, repositories: ReadonlySet<number>): Promise<Pick<Known, "brokenIssues" | "brokenReferences">> {
  const { source, report } = conversion;
  const { database } = source;
  const brokenIssues = new Set<number>();
  const twice = new Set(
    (await database.all(`select b.id from issue a join issue b on b.repo_id = a.repo_id and b."index" = a."index" and b.id > a.id`)).map((row) =>
      numberOf(row.id),
    ),
  );
  for (const row of await database.all("select distinct repo_id from issue")) {
    const repoId = numberOf(row.repo_id);
    if (repositories.has(repoId)) continue;
    for (const { id } of await database.all("select id from issue where repo_id = ?", [repoId])) brokenIssues.add(numberOf(id));
  }
  report.without("issues without a repository", brokenIssues.size);
  for (const id of twice) brokenIssues.add(id);
  for (const row of await database.all(`select id from issue where "index" < 1`)) {
    twice.add(numberOf(row.id));
    brokenIssues.add(numberOf(row.id));
  }
  for (const id of twice) report.without("issues without a number of their own", `id ${id}`);
  for (const [table, subject] of childTables) {
    const [row] = await database.all(`select count(*) as n from ${table} t where not exists (select 1 from issue i where i.id = t.issue_id)`);
    report.without(subject, numberOf(row?.n));
  }
  const [labels, milestones] = await Promise.all(
    ["label", "milestone"].map((table) =>
      database.all(`select count(*) as n from ${table} t where t.repo_id > 0 and not exists (select 1 from repository r where r.id = t.repo_id)`),
    ),
  );
  report.without("labels and milestones without a repository", numberOf(labels?.[0]?.n) + numberOf(milestones?.[0]?.n));
  const brokenReferences = new Set<number>();
  for (const row of await database.all(
    `select c.id, i.id as found, i.repo_id as repo_id, c.ref_comment_id, r.issue_id as comment_issue_id from comment c
      left join issue i on i.id = c.ref_issue_id left join comment r on r.id = c.ref_comment_id
      where c.type in (${referenceTypes.join(", ")}) and (i.id is null or c.ref_comment_id > 0 and (r.id is null or r.issue_id <> i.id)
        or not exists (select 1 from repository p where p.id = i.repo_id)${brokenIssues.size > 0 ? " or 1 = 1" : ""})`,
  )) {
    const issueId = numberOf(row.found);
    const isCommentMissing = numberOf(row.ref_comment_id) > 0 && numberOf(row.comment_issue_id) !== issueId;
    if (issueId === 0 || isCommentMissing || brokenIssues.has(issueId)) brokenReferences.add(numberOf(row.id));
  }
  report.without("references from issues and comments that no longer exist", brokenReferences.size);
  return { brokenIssues, brokenReferences };
}

/** Adds the rows that connect issues with others, with repositories, and with accounts. */
export async function addIssueLinks(conversion: Conversion, known: Known, writes: Writes): Promise<void> {
  const { report } = conversion;
  for await (const rows of parts(conversion, `select id, ref_issue_id, ref_comment_id from comment where id > ? and type in (${referenceTypes.join(", ")})`)) {
    const found = rows.filter((row) => !known.brokenReferences.has(numberOf(row.id)));
    const references = found.map((row) => ({
      id: numberOf(row.id),
      issueId: numberOf(row.ref_issue_id),
      commentId: numberOf(row.ref_comment_id) > 0 ? numberOf(row.ref_comment_id) : null,
    }));
    writes.add({ kind: "references", references });
  }
  for await (const rows of parts(conversion, "select id, head_repo_id from pull_request where id > ? and head_repo_id <> base_repo_id")) {
    const heads = rows
      .map((row) => ({ pullId: numberOf(row.id), headRepoId: numberOf(row.head_repo_id) }))
      .filter(({ headRepoId }) => known.repositories.has(headRepoId));
    writes.add({ kind: "heads", heads });
  }
  const isKept = (id: unknown, repoId: unknown): boolean =>
    known.repositories.has(numberOf(repoId as number)) && !known.brokenIssues.has(numberOf(id as number));
  const isUser = (row: ForeignRow): boolean => known.accounts.kinds.get(numberOf(row.user_id)) === "user";
  const used = new Set<string>();
  const isFirst = (key: string): boolean => {
    const before = used.size;
    used.add(key);
    return used.size > before;
  };
  for await (const rows of parts(
    conversion,
    `select d.*, a.repo_id as repo_id, b.repo_id as other_repo_id from issue_dependency d left join issue a on a.id = d.issue_id
      left join issue b on b.id = d.dependency_id where d.id > ?`,
    "d.id",
  )) {
    const batch = newBatch();
    for (const row of rows) {
      const [issueId, dependencyId] = [numberOf(row.issue_id), numberOf(row.dependency_id)];
      const isWhole = isKept(issueId, row.repo_id) && isKept(dependencyId, row.other_repo_id);
      if (isWhole && isFirst(`${issueId} ${dependencyId}`))
        batch.add("issue_dependencies", { issue_id: issueId, dependency_id: dependencyId, created_ms: millisOf(row.created_unix) });
      else report.without("dependencies on issues that no longer exist", `issues ${issueId} and ${dependencyId}`);
    }
    report.count("dependencies of issues", batch.size("issue_dependencies"));
    writes.rows(batch);
  }
  used.clear();
  const ofIssues = (table: string, columns: string): string =>
    `select t.id, ${columns}, t.issue_id, i.repo_id from ${table} t left join issue i on i.id = t.issue_id where t.id > ?`;
  for await (const rows of parts(conversion, ofIssues("issue_watch", "t.user_id, t.is_watching, t.created_unix"), "t.id")) {
    const batch = newBatch();
    for (const row of rows) {
      const [issueId, accountId] = [numberOf(row.issue_id), numberOf(row.user_id)];
      if (!isKept(issueId, row.repo_id) || !isUser(row) || !isFirst(`${issueId} ${accountId}`))
        report.without("subscriptions without an issue or an account", 1);
      else
        batch.add("issue_subscriptions", {
          issue_id: issueId,
          account_id: accountId,
          is_subscribed: flagOf(row.is_watching),
          created_ms: millisOf(row.created_unix),
        });
    }
    writes.rows(batch);
  }
  used.clear();
  for await (const rows of parts(conversion, ofIssues("issue_user", "t.uid as user_id, t.is_mentioned"), "t.id")) {
    const batch = newBatch();
    for (const row of rows) {
      const [issueId, accountId] = [numberOf(row.issue_id), numberOf(row.user_id)];
      // Gitea adds a row for each issue that a user has read.
      if (flagOf(row.is_mentioned) === 0 || !isKept(issueId, row.repo_id) || !isUser(row) || !isFirst(`${issueId} ${accountId}`)) continue;
      batch.add("issue_mentions", { issue_id: issueId, account_id: accountId });
    }
    writes.rows(batch);
  }
  used.clear();
  for await (const rows of parts(conversion, ofIssues("stopwatch", "t.user_id, t.created_unix"), "t.id")) {
    const batch = newBatch();
    for (const row of rows) {
      const [issueId, accountId] = [numberOf(row.issue_id), numberOf(row.user_id)];
      if (!isKept(issueId, row.repo_id) || !isUser(row) || !isFirst(String(accountId)))
        report.without("stopwatches besides the first one of a user, or without an issue", known.accounts.names.get(accountId) ?? textOf(row.user_id));
      else batch.add("stopwatches", { account_id: accountId, issue_id: issueId, created_ms: millisOf(row.created_unix) });
    }
    writes.rows(batch);
  }
}
