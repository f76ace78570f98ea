import type { Happening, IssueSentence } from "../../model.ts";

/** Emails about issues and pull requests. */
export const english = {
  issue: "issue",
  pull: "pull request",
  happened: {
    created: ({ actor, subject, repository }) => `${actor} opened ${subject} in ${repository}.`,
    commented: ({ actor, subject, repository }) => `${actor} commented on ${subject} in ${repository}.`,
    approved: ({ actor, subject, repository }) => `${actor} approved ${subject} in ${repository}.`,
    rejected: ({ actor, subject, repository }) => `${actor} requested changes on ${subject} in ${repository}.`,
    reviewed: ({ actor, subject, repository }) => `${actor} reviewed ${subject} in ${repository}.`,
    merged: ({ actor, subject, repository }) => `${actor} merged ${subject} in ${repository}.`,
    closed: ({ actor, subject, repository }) => `${actor} closed ${subject} in ${repository}.`,
    reopened: ({ actor, subject, repository }) => `${actor} reopened ${subject} in ${repository}.`,
    transferred: ({ actor, subject, repository }) => `${actor} transferred an issue to ${repository}, where it is ${subject}.`,
    pushed: ({ actor, subject, repository }) => `${actor} pushed to ${subject} in ${repository}.`,
    requested: ({ actor, subject, repository }) => `${actor} requested your review on ${subject} in ${repository}.`,
    assigned: ({ actor, subject, repository }) => `${actor} assigned you to ${subject} in ${repository}.`,
    mentioned: ({ actor, subject, repository }) => `${actor} mentioned you in ${subject} in ${repository}.`,
  } as Readonly<Record<Happening, (sentence: IssueSentence) => string>>,
  viewAndReply: "View and reply",
  unsubscribeFrom: (kind: string) => `Unsubscribe from this ${kind}`,
  atLine: (path: string, line: number) => `${path}, line ${line}`,
  moreCommits: "... and earlier ones",
};
