import type { EmailLink, Happening, IssueSentence, Reason } from "./vocabulary.ts";

/** What letters say. Every other language has the same entries, and the compiler holds it to them. */
export const english = {
  language: "en",
  theServer: "The server",
  issue: "issue",
  pull: "pull request",
  happened: {
    created: ({ actor, subject, repository }) => `${actor} opened ${subject} of ${repository}.`,
    commented: ({ actor, subject, repository }) => `${actor} commented on ${subject} of ${repository}.`,
    approved: ({ actor, subject, repository }) => `${actor} approved ${subject} of ${repository}.`,
    rejected: ({ actor, subject, repository }) => `${actor} requested changes to ${subject} of ${repository}.`,
    reviewed: ({ actor, subject, repository }) => `${actor} reviewed ${subject} of ${repository}.`,
    merged: ({ actor, subject, repository }) => `${actor} merged ${subject} of ${repository}.`,
    closed: ({ actor, subject, repository }) => `${actor} closed ${subject} of ${repository}.`,
    reopened: ({ actor, subject, repository }) => `${actor} reopened ${subject} of ${repository}.`,
    pushed: ({ actor, subject, repository }) => `${actor} pushed to ${subject} of ${repository}.`,
    requested: ({ actor, subject, repository }) => `${actor} asked you to review ${subject} of ${repository}.`,
    assigned: ({ actor, subject, repository }) => `${actor} assigned you to ${subject} of ${repository}.`,
    mentioned: ({ actor, subject, repository }) => `${actor} mentioned you in ${subject} of ${repository}.`,
  } as Readonly<Record<Happening, (told: IssueSentence) => string>>,
  because: {
    mention: "You get this letter because you are mentioned.",
    requested: "You get this letter because you are asked for a review.",
    assign: "You get this letter because it was assigned to you.",
    author: "You get this letter because you opened it.",
    assignee: "You get this letter because it is assigned to you.",
    comment: "You get this letter because you commented on it.",
    subscribed: "You get this letter because you subscribed to it.",
    watch: "You get this letter because you watch the repository.",
    recipient: "You get this letter because the repository is offered to you, or to an organization that you own.",
    owner: "You get this letter because you own what the webhook belongs to.",
  } as Readonly<Record<Reason, string>>,
  noAnswers: "Answers to it are read by nobody.",
  readAndAnswer: "Read and answer it",
  read: "Look at it",
  noMoreOf: (kind: string) => `No more of this ${kind}`,
  noMore: "No more letters of this server about what happens",
  choose: (address: string) => `Which letters you get is yours to choose: PATCH ${address}`,
  atLine: (path: string, line: number) => `${path}, line ${line}`,
  moreCommits: "... and earlier ones",
  commit: {
    subject: (repository: string, oid: string) => `[${repository}] A commit mentions you (${oid})`,
    mentioned: (actor: string, oid: string, repository: string) => `${actor} pushed commit ${oid} to ${repository}, whose message mentions you.`,
  },
  offer: {
    subject: (repository: string, recipient: string) => `[${repository}] Offered to ${recipient}`,
    offered: (actor: string, repository: string, recipient: string) => `${actor} wants to give the repository ${repository} to ${recipient}.`,
    answer: (accept: string, reject: string) => `Take it with POST ${accept}, or decline with POST ${reject}. Until then it stays where it is.`,
  },
  recovery: {
    passwordSubject: (host: string) => `Your password at ${host}`,
    password: ({ name, origin, link }: EmailLink) =>
      `Somebody, probably you, has forgotten the password of ${name} at ${origin}.

Choose a new one here, within an hour:

${link}

If it was not you, there is nothing to do: your password stays as it is.
`,
    addressSubject: (name: string, host: string) => `Is this your address? ${name} at ${host}`,
    address: ({ name, origin, link }: EmailLink) =>
      `${name} at ${origin} says that this address is his or hers. If it is yours, say so here, within three days:

${link}

If you do not know of this, there is nothing to do: nobody is let in by an address that was only claimed.
`,
  },
  registration: {
    subject: (host: string) => `Your account at ${host}`,
    begin: ({ origin, link }: Omit<EmailLink, "name">) =>
      `Somebody, probably you, wants an account at ${origin} with this address. Choose its name and its password here, within a day:

${link}

If it was not you, there is nothing to do: without this link no account is made.
`,
    known: ({ name, origin, link }: EmailLink) =>
      `Somebody, probably you, wants an account at ${origin} with this address. It is the address of ${name} there already. Sign in with it, or choose a new password here:

${link}

If it was not you, there is nothing to do: your account stays as it is.
`,
  },
  hook: {
    subject: (owner: string, host: string) => `[${owner}] The webhook to ${host} fails`,
    failed: (owner: string, host: string) =>
      `The webhook of ${owner} to ${host} has not taken what it was told for a day. What is that old has been given up; newer events are still tried.`,
    switchedOff: (owner: string, host: string) => `${host} says that it wants no more of the webhook of ${owner}, and the webhook has been switched off.`,
    look: (address: string) => `What was sent, and what came back: GET ${address}`,
  },
};

export type EmailTexts = typeof english;
