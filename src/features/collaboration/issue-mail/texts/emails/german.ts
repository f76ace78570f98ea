import type { english } from "./english.ts";

export const german: typeof english = {
  issue: "Issue",
  pull: "Pull-Request",
  happened: {
    created: ({ actor, subject, repository }) => `${actor} hat ${subject} in ${repository} eröffnet.`,
    commented: ({ actor, subject, repository }) => `${actor} hat ${subject} in ${repository} kommentiert.`,
    approved: ({ actor, subject, repository }) => `${actor} hat ${subject} in ${repository} genehmigt.`,
    rejected: ({ actor, subject, repository }) => `${actor} hat Änderungen an ${subject} in ${repository} angefordert.`,
    reviewed: ({ actor, subject, repository }) => `${actor} hat ein Review zu ${subject} in ${repository} abgegeben.`,
    merged: ({ actor, subject, repository }) => `${actor} hat ${subject} in ${repository} gemergt.`,
    closed: ({ actor, subject, repository }) => `${actor} hat ${subject} in ${repository} geschlossen.`,
    reopened: ({ actor, subject, repository }) => `${actor} hat ${subject} in ${repository} wieder geöffnet.`,
    transferred: ({ actor, subject, repository }) => `${actor} hat ein Issue an ${repository} übertragen; es ist dort ${subject}.`,
    pushed: ({ actor, subject, repository }) => `${actor} hat Commits zu ${subject} in ${repository} gepusht.`,
    requested: ({ actor, subject, repository }) => `${actor} hat Ihr Review zu ${subject} in ${repository} angefordert.`,
    assigned: ({ actor, subject, repository }) => `${actor} hat Ihnen ${subject} in ${repository} zugewiesen.`,
    mentioned: ({ actor, subject, repository }) => `${actor} hat Sie in ${subject} in ${repository} erwähnt.`,
  },
  viewAndReply: "Ansehen und antworten",
  unsubscribeFrom: (kind) => `Benachrichtigungen zu diesem ${kind} abbestellen`,
  atLine: (path, line) => `${path}, Zeile ${line}`,
  moreCommits: "... und frühere",
};
