import type { EmailLink, Happening, IssueSentence, Reason } from "./vocabulary.ts";

/** Texts of the emails. The compiler checks that every other language has the same entries. */
export const english = {
  language: "en",
  theServer: "The server",
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
    pushed: ({ actor, subject, repository }) => `${actor} pushed to ${subject} in ${repository}.`,
    requested: ({ actor, subject, repository }) => `${actor} requested your review on ${subject} in ${repository}.`,
    assigned: ({ actor, subject, repository }) => `${actor} assigned you to ${subject} in ${repository}.`,
    mentioned: ({ actor, subject, repository }) => `${actor} mentioned you in ${subject} in ${repository}.`,
  } as Readonly<Record<Happening, (told: IssueSentence) => string>>,
  because: {
    mention: "You are receiving this because you were mentioned.",
    requested: "You are receiving this because your review was requested.",
    assign: "You are receiving this because you were assigned.",
    author: "You are receiving this because you are the author.",
    assignee: "You are receiving this because you are assigned.",
    comment: "You are receiving this because you commented.",
    subscribed: "You are receiving this because you are subscribed.",
    watch: "You are receiving this because you are watching the repository.",
    recipient: "You are receiving this because the repository is being transferred to you or to an organization that you own.",
    owner: "You are receiving this because you own the webhook.",
  } as Readonly<Record<Reason, string>>,
  noAnswers: "Replies to this email are not read.",
  readAndAnswer: "View and reply",
  read: "View",
  noMoreOf: (kind: string) => `Unsubscribe from this ${kind}`,
  noMore: "Unsubscribe from all notifications of this server",
  choose: (address: string) => `Change your email settings: PATCH ${address}`,
  atLine: (path: string, line: number) => `${path}, line ${line}`,
  moreCommits: "... and earlier ones",
  commit: {
    subject: (repository: string, oid: string) => `[${repository}] You were mentioned in a commit (${oid})`,
    mentioned: (actor: string, oid: string, repository: string) => `${actor} mentioned you in commit ${oid} in ${repository}.`,
  },
  offer: {
    subject: (repository: string, recipient: string) => `[${repository}] Transfer to ${recipient}`,
    offered: (actor: string, repository: string, recipient: string) => `${actor} wants to transfer the repository ${repository} to ${recipient}.`,
    answer: (accept: string, reject: string) => `Accept it with POST ${accept}, or decline it with POST ${reject}.`,
  },
  recovery: {
    passwordSubject: (host: string) => `Reset your password at ${host}`,
    password: ({ name, origin, link }: EmailLink) =>
      `A password reset was requested for ${name} at ${origin}.

Set a new password here within one hour:

${link}

If this was not you, ignore this email: your password is unchanged.
`,
    addressSubject: (name: string, host: string) => `Verify your email address for ${name} at ${host}`,
    address: ({ name, origin, link }: EmailLink) =>
      `${name} at ${origin} added this email address. Verify it here within three days:

${link}

If this was not you, ignore this email: an address that is not verified cannot be used to sign in.
`,
  },
  registration: {
    subject: (host: string) => `Your account at ${host}`,
    begin: ({ origin, link }: Omit<EmailLink, "name">) =>
      `An account at ${origin} was requested with this email address. Choose a username and a password here within one day:

${link}

If this was not you, ignore this email: no account is created without this link.
`,
    known: ({ name, origin, link }: EmailLink) =>
      `An account at ${origin} was requested with this email address, but it already belongs to ${name}. Sign in to that account, or set a new password here:

${link}

If this was not you, ignore this email: your account is unchanged.
`,
  },
  hook: {
    subject: (owner: string, host: string) => `[${owner}] The webhook to ${host} fails`,
    failed: (owner: string, host: string) =>
      `The webhook of ${owner} to ${host} has failed for 24 hours. Deliveries older than that were dropped; newer ones are still retried.`,
    switchedOff: (owner: string, host: string) => `The webhook of ${owner} to ${host} was disabled because ${host} responded that it is gone.`,
    look: (address: string) => `Recent deliveries: GET ${address}`,
  },
};

export type EmailTexts = typeof english;
