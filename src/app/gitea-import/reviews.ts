import type { ReviewKind } from "../../db/tables/reviews.ts";
import type { Conversion } from "./context.ts";
import { type ForeignRow, flagOf, knownId, millisOf, numberOf, textOf } from "./source.ts";
import type { AddingEntries } from "./timeline.ts";
import { type ConvertedTracker, childRows } from "./tracker-input.ts";

const kinds: Readonly<Record<number, ReviewKind>> = { 0: "pending", 1: "approve", 2: "comment", 3: "reject", 4: "request" };
const codeType = 21;
const reviewType = 22;

/** Reviews and review requests, with the positions of comments on lines. */
export async function addReviewRows(conversion: Conversion, tracker: ConvertedTracker, { batch, comments, ids }: AddingEntries): Promise<void> {
  const { report } = conversion;
  const { plan, known, issues, pulls } = tracker;
  const rows = await childRows(conversion, "review", ids);
  // A review that was submitted again has several entries: its address is that of the first.
  const entries = new Map(
    comments
      .filter((row) => numberOf(row.type) === reviewType)
      .toReversed()
      .map((row) => [numberOf(row.review_id), numberOf(row.id)]),
  );
  const lines = Map.groupBy(
    comments.filter((row) => numberOf(row.type) === codeType),
    (row) => numberOf(row.review_id),
  );
  // Comments on the same line are one conversation, which is resolved at its first one.
  const threads = new Map(
    [...lines.values()]
      .flat()
      .toSorted((a, b) => numberOf(b.id) - numberOf(a.id))
      .map((row) => [placeOf(row), row]),
  );
  const single = new Set<string>();
  for (const row of rows) {
    const [id, issueId] = [numberOf(row.id), numberOf(row.issue_id)];
    const kind = kinds[numberOf(row.type)];
    const pull = pulls.byIssue.get(issueId);
    const shownAs = `${plan.shownAs}#${issues.facts.get(issueId)?.number}`;
    const reviewerId = knownId(row.reviewer_id, known.accounts.kinds);
    const teamId = kind === "request" ? knownId(row.reviewer_team_id, known.allTeams) : null;
    const key = `${issueId} ${kind} ${teamId === null ? reviewerId : `team ${teamId}`}`;
    const isSingle = kind === "request" || kind === "pending";
    // Comments on lines need their review, whatever it lacks.
    const isBroken = kind === undefined || (isSingle && ((reviewerId === null && teamId === null) || single.has(key)));
    if (pull === undefined || (isBroken && !lines.has(id))) {
      report.without("reviews without a pull request or a reviewer", shownAs);
      continue;
    }
    if (isSingle) single.add(key);
    const commitOid = textOf(row.commit_id);
    batch.add("reviews", {
      id,
      issue_id: issueId,
      // A pending review that is broken stays hidden.
      kind: kind === undefined || (isBroken && kind === "request") ? "comment" : kind,
      reviewer_id: teamId !== null || (isBroken && kind === "pending") ? null : reviewerId,
      team_id: teamId,
      content: textOf(row.content),
      commit_oid: kind === "request" ? "" : commitOid || pull.headOid,
      // Gitea stores whether a review is stale.
      seen_oid: flagOf(row.stale) === 1 && commitOid !== "" ? commitOid : pull.headOid,
      base_branch: textOf(pull.row.base_branch),
      is_official: flagOf(row.official),
      is_dismissed: flagOf(row.dismissed),
      entry_id: entries.get(id) ?? null,
      created_ms: millisOf(row.created_unix),
      updated_ms: millisOf(row.updated_unix),
    });
    for (const comment of lines.get(id) ?? []) addLine(comment, row);
  }
  report.count("reviews", batch.size("reviews"));

  function addLine(row: ForeignRow, review: ForeignRow): void {
    const issueId = numberOf(row.issue_id);
    const pull = pulls.byIssue.get(issueId);
    if (pull === undefined) return;
    const line = numberOf(row.line);
    const path = textOf(row.tree_path);
    const first = threads.get(placeOf(row)) ?? row;
    const seenOid = textOf(review.commit_id) || pull.headOid;
    batch.add("review_comments", {
      comment_id: numberOf(row.id),
      review_id: numberOf(review.id),
      issue_id: issueId,
      thread_id: numberOf(first.id),
      path,
      side: line < 0 ? "old" : "new",
      line: Math.abs(line),
      start_line: null,
      written_oid: line < 0 ? (pull.mergeBaseOid ?? seenOid) : seenOid,
      commit_oid: textOf(row.commit_sha) || seenOid,
      hunk: hunkOf(textOf(row.patch)),
      resolver_id: knownId(first.resolve_doer_id, known.accounts.kinds),
    });
  }
}

const placeOf = (row: ForeignRow): string => `${numberOf(row.issue_id)} ${numberOf(row.line)} ${textOf(row.tree_path)}`;

/** Without the header of the file. An old version stored a quoted string. */
function hunkOf(patch: string): string {
  const text = patch.startsWith('"') ? unquoted(patch) : patch;
  const at = text.startsWith("@@") ? 0 : text.indexOf("\n@@") + 1;
  return at > 0 || text.startsWith("@@") ? text.slice(at) : "";
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}
