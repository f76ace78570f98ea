import { jobAccount } from "../../access/system-account.ts";
import { newBatch } from "../../db/row-batch.ts";
import type { Conversion } from "./context.ts";
import { parts } from "./parts.ts";
import type { Known } from "./repository-relations.ts";
import { knownId, millisOf, numberOf, textOf } from "./source.ts";
import type { Writes } from "./writes.ts";

const statuses = { 1: "unread", 2: "read", 3: "pinned" } as const;
const commitSource = 3;
const commentType = 0;

/** Notifications of users. */
export async function addNotifications(conversion: Conversion, known: Known, writes: Writes): Promise<void> {
  const { report } = conversion;
  const used = new Set<string>();
  // Gitea shows the last comment of the issue, not the one that it stores.
  const statement = `select n.*, i.repo_id as issue_repo_id,
    (select c.id from comment c where c.issue_id = n.issue_id and c.type = ${commentType} order by c.created_unix desc, c.id limit 1) as last_comment_id
    from notification n left join issue i on i.id = n.issue_id where n.id > ?`;
  for await (const rows of parts(conversion, statement, "n.id")) {
    const batch = newBatch();
    for (const row of rows) {
      const [accountId, repoId, issueId, commentId] = [numberOf(row.user_id), numberOf(row.repo_id), numberOf(row.issue_id), numberOf(row.last_comment_id)];
      const status = statuses[numberOf(row.status) as keyof typeof statuses];
      const commitOid = numberOf(row.source) === commitSource ? textOf(row.commit_id) : "";
      const isWhole = issueId === 0 || (numberOf(row.issue_repo_id) === repoId && !known.brokenIssues.has(issueId));
      const key = `${accountId} ${issueId > 0 ? issueId : `${repoId} ${commitOid}`}`;
      const isUser = known.accounts.kinds.get(accountId) === "user";
      if (!isUser || !known.repositories.has(repoId) || !isWhole || status === undefined || used.has(key)) {
        report.without("notifications without an account or a subject, or about one subject twice", known.accounts.names.get(accountId) ?? `user ${accountId}`);
        continue;
      }
      used.add(key);
      batch.add("notifications", {
        id: numberOf(row.id),
        account_id: accountId,
        repo_id: repoId,
        issue_id: issueId > 0 ? issueId : null,
        commit_oid: issueId === 0 && commitOid !== "" ? commitOid : null,
        status,
        comment_id: issueId > 0 && commentId > 0 ? commentId : null,
        created_ms: millisOf(row.created_unix),
        updated_ms: millisOf(row.updated_unix),
      });
    }
    report.count("notifications", batch.size("notifications"));
    writes.rows(batch);
  }
}

/** Statuses of commits, in the order in which they were set. */
export async function addStatuses(conversion: Conversion, known: Known, writes: Writes): Promise<void> {
  const { report } = conversion;
  const used = new Set<string>();
  for await (const rows of parts(conversion, "select * from commit_status where id > ?")) {
    const batch = newBatch();
    for (const row of rows) {
      const [repoId, oid, number] = [numberOf(row.repo_id), textOf(row.sha), numberOf(row.index)];
      const key = `${repoId} ${oid} ${number}`;
      if (!known.repositories.has(repoId) || oid === "" || number < 1 || used.has(key)) {
        report.without("commit statuses without a repository or a number of their own", `${textOf(row.context)} of ${oid.slice(0, 10)}`);
        continue;
      }
      used.add(key);
      batch.add("commit_statuses", {
        id: numberOf(row.id),
        repo_id: repoId,
        oid,
        number,
        context: textOf(row.context),
        state: textOf(row.state),
        description: textOf(row.description),
        target_url: textOf(row.target_url),
        // Those of jobs have no creator.
        creator_id: numberOf(row.creator_id) === jobAccount.id ? null : knownId(row.creator_id, known.accounts.kinds),
        created_ms: millisOf(row.created_unix),
      });
    }
    report.count("commit statuses", batch.size("commit_statuses"));
    writes.rows(batch);
  }
}
