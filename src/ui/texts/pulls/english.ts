import { grouping } from "../grouped.ts";

const grouped = grouping("en");

/** Pull requests. */
export const pulls = {
  title: "Pull requests",
  find: "Find pull requests",
  create: "New pull request",
  none: "There is no pull request here yet",
  firstOne: "Push a branch, compare it with another one, and propose to merge it.",
  count: (total: number) => (total === 1 ? "1 pull request" : `${grouped(total)} pull requests`),
  into: "wants to come into",
  cameInto: "came into",
  from: "from",
  parts: "Parts of the pull request",
  conversation: "Conversation",
  commits: "Commits",
  files: "Files",
  headGone: "a branch that is gone",
  reviews: {
    approve: "approved this",
    reject: "asked for changes",
    comment: "reviewed this",
    pending: "is writing a review",
    request: "was asked for a review",
  },
  base: "Base branch",
  baseHint: "The branch that it wants to come into",
  changeBase: "Change the base",
  answerThere: "Show it among the files",
  answeredOn: (path: string) => `answered above, on ${path}`,
  reviewers: "Reviewers",
  stale: "for an earlier state",
  dismissed: "dismissed",
  outdated: "the line is gone",
  lines: (first: number, last: number) => (first === last ? `line ${last}` : `lines ${first}–${last}`),
  resolved: (name: string) => `resolved by ${name}`,
  checks: "Checks",
  checkDetails: "Details",
  checkStates: { success: "All checks have passed", failure: "Some checks have failed", pending: "Some checks have not ended" },
  noCommits: "This pull request has no commit.",
  noFiles: "This pull request changes no file.",
};
