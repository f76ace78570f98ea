import { newBatch } from "../../db/row-batch.ts";
import { type ActivityKind, activityUnits } from "../../features/site/activities/model.ts";
import type { Conversion } from "./context.ts";
import { recordOf } from "./json.ts";
import { parts } from "./parts.ts";
import type { Known } from "./repository-relations.ts";
import { type ForeignRow, millisOf, numberOf, textOf } from "./source.ts";
import type { Writes } from "./writes.ts";

/** Kinds by the numbers of Gitea. */
const kinds: Readonly<Record<number, ActivityKind>> = {
  1: "create_repo",
  2: "rename_repo",
  5: "commit_repo",
  6: "create_issue",
  7: "create_pull_request",
  8: "transfer_repo",
  9: "push_tag",
  10: "comment_issue",
  11: "merge_pull_request",
  12: "close_issue",
  13: "reopen_issue",
  14: "close_pull_request",
  15: "reopen_pull_request",
  16: "delete_tag",
  17: "delete_branch",
  21: "approve_pull_request",
  22: "reject_pull_request",
  23: "comment_pull",
  24: "publish_release",
  25: "pull_review_dismissed",
  27: "auto_merge_pull_request",
};

/** Entries of activity feeds. Gitea stores a row for each reader; the row of the actor is imported. */
export async function addActivities(conversion: Conversion, known: Known, writes: Writes): Promise<void> {
  const { report } = conversion;
  const statement = `select a.*, r.owner_id as repo_owner_id, c.id as found_comment_id from action a join repository r on r.id = a.repo_id
    left join comment c on c.id = a.comment_id where a.id > ? and a.user_id = a.act_user_id and coalesce(a.is_deleted, false) = false`;
  for await (const rows of parts(conversion, statement, "a.id")) {
    const batch = newBatch();
    for (const row of rows) {
      const kind = kinds[numberOf(row.op_type)];
      if (kind === undefined || known.accounts.kinds.get(numberOf(row.act_user_id)) !== "user" || !known.repositories.has(numberOf(row.repo_id))) {
        report.without("entries of activity feeds about mirrors, or without an account or a repository", 1);
        continue;
      }
      const commentId = numberOf(row.found_comment_id) > 0 ? numberOf(row.found_comment_id) : null;
      batch.add("activities", {
        id: numberOf(row.id),
        kind,
        actor_id: numberOf(row.act_user_id),
        repo_id: numberOf(row.repo_id),
        owner_id: numberOf(row.repo_owner_id),
        ref_name: textOf(row.ref_name),
        ...oidsOf(row, kind),
        subject: subjectOf(row, kind, commentId),
        comment_id: commentId,
        created_ms: millisOf(row.created_unix),
      });
    }
    report.count("entries of activity feeds", batch.size("activities"));
    writes.rows(batch);
  }
}

/** The move of a branch. The entry about the creation of a branch names no commit. */
function oidsOf(row: ForeignRow, kind: ActivityKind): { readonly old_oid: string | null; readonly new_oid: string | null } {
  if (kind !== "commit_repo") return { old_oid: null, new_oid: null };
  const { CompareURL, HeadCommit } = recordOf(row.content);
  const [, oldOid, newOid] = /\/compare\/([0-9a-f]{40,64})\.\.\.([0-9a-f]{40,64})$/.exec(String(CompareURL)) ?? [];
  const head: unknown = (HeadCommit as { readonly Sha1?: unknown } | null | undefined)?.Sha1;
  return { old_oid: oldOid === undefined || /^0+$/.test(oldOid) ? null : oldOid, new_oid: newOid ?? (typeof head === "string" ? head : null) };
}

/** Hearth shows the current text of a comment after the number. */
function subjectOf(row: ForeignRow, kind: ActivityKind, commentId: number | null): string {
  const content = textOf(row.content);
  if (activityUnits[kind] === "repo.code") return "";
  return commentId === null ? content : content.replace(/\|.*/s, "|");
}
