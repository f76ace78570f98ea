/** Events that a webhook can select, by their API names. */
export const eventNames = [
  "create",
  "delete",
  "fork",
  "push",
  "issues",
  "issue_assign",
  "issue_label",
  "issue_milestone",
  "issue_comment",
  "pull_request",
  "pull_request_assign",
  "pull_request_label",
  "pull_request_milestone",
  "pull_request_comment",
  "pull_request_review",
  "pull_request_sync",
  "pull_request_review_request",
  "wiki",
  "repository",
  "release",
  "package",
  "status",
  "workflow_run",
  "workflow_job",
] as const;
export type EventName = (typeof eventNames)[number];

const reviews: readonly string[] = ["pull_request_review_approved", "pull_request_review_rejected", "pull_request_review_comment"];

/** @compat names in requests that stand for several events, or for another one (hooks/api.test.ts) */
const meanings: Readonly<Record<string, readonly EventName[]>> = {
  issues: ["issues", "issue_assign", "issue_label", "issue_milestone", "issue_comment"],
  issues_only: ["issues"],
  pull_request: eventNames.filter((name) => name.startsWith("pull_request")),
  pull_request_only: ["pull_request"],
  ...Object.fromEntries(reviews.map((name) => [name, ["pull_request_review"] as const])),
};

/** The events for a list of names, in the order of {@link eventNames}. Unknown names are ignored; an empty list means pushes. */
export function readEvents(words: readonly string[]): readonly EventName[] {
  if (words.length === 0) return ["push"];
  const meant = new Set<string>(words.flatMap((word): readonly string[] => meanings[word] ?? [word]));
  return eventNames.filter((name) => meant.has(name));
}

/** The selectable event for the longer name used in deliveries. */
export const chosenAs = (eventType: string): string => (reviews.includes(eventType) ? "pull_request_review" : eventType);
