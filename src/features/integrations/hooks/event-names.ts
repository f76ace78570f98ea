/** What a webhook may hear of, by the names that the wire has for it. */
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

/** @compat one word that stands for several, or for another */
const meanings: Readonly<Record<string, readonly EventName[]>> = {
  issues: ["issues", "issue_assign", "issue_label", "issue_milestone", "issue_comment"],
  issues_only: ["issues"],
  pull_request: eventNames.filter((name) => name.startsWith("pull_request")),
  pull_request_only: ["pull_request"],
  ...Object.fromEntries(reviews.map((name) => [name, ["pull_request_review"] as const])),
};

/** The events that a list of words means, in the order of {@link eventNames}. What is unknown means nothing; no words at all mean pushes. */
export function readEvents(words: readonly string[]): readonly EventName[] {
  if (words.length === 0) return ["push"];
  const meant = new Set<string>(words.flatMap((word): readonly string[] => meanings[word] ?? [word]));
  return eventNames.filter((name) => meant.has(name));
}

/** The name by which a webhook chooses what deliveries call by a longer one. */
export const chosenAs = (eventType: string): string => (reviews.includes(eventType) ? "pull_request_review" : eventType);
