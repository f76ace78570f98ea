import type { Tx } from "../../../db/db.ts";
import { isValidTagName } from "../../../git/ref-names.ts";
import { importIssues } from "../../issues/service/import.ts";
import { importLabels } from "../../labels/service/import.ts";
import { importMilestones } from "../../milestones/service.ts";
import { importReleases } from "../../releases/service/import.ts";
import type { ForeignComment, Tracker } from "../tracker.ts";

/**
 * Writes what a new repository brings from elsewhere beside its code, in the transaction that makes it: it is there with all of this or not at all.
 * @param tags full names of the tags that have come
 */
export async function importTracker(tx: Tx, repoId: number, tracker: Tracker, tags: ReadonlySet<string>): Promise<void> {
  const labels = pairUp(tracker.labels, await importLabels(tx, repoId, tracker.labels));
  const milestones = pairUp(tracker.milestones, await importMilestones(tx, repoId, tracker.milestones));
  const comments = Map.groupBy(tracker.comments, ({ issueNumber }) => issueNumber);
  const issues = tracker.issues.map(({ labelIds, milestoneId, ...issue }) => ({
    ...issue,
    labelIds: labelIds.flatMap((id) => labels.get(id) ?? []),
    milestoneId: (milestoneId !== null && milestones.get(milestoneId)) || null,
    comments: (comments.get(issue.number) ?? []).toSorted(byTime),
  }));
  if (tracker.lastNumber > 0) await importIssues(tx, { repoId, issues, lastNumber: tracker.lastNumber });
  const releases = tracker.releases.filter(({ tagName }) => isValidTagName(tagName));
  // A release of a tag that has not come waits as a draft for somebody to make the tag.
  await importReleases(
    tx,
    repoId,
    releases.map((release) => ({ ...release, isDraft: release.isDraft || !tags.has(`refs/tags/${release.tagName}`) })),
  );
}

const byTime = (a: ForeignComment, b: ForeignComment): number => a.createdMs - b.createdMs || a.id - b.id;

/** Ids of there to ids of here. */
const pairUp = (foreign: readonly { readonly id: number }[], ids: readonly number[]): ReadonlyMap<number, number> =>
  new Map(foreign.map(({ id }, index) => [id, ids[index] ?? 0]));
