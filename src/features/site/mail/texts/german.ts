import type { EmailTexts } from "./english.ts";

export const german: EmailTexts = {
  language: "de",
  theServer: "Der Server",
  issue: "Issue",
  pull: "Pull-Request",
  happened: {
    created: ({ actor, subject, repository }) => `${actor} hat ${subject} in ${repository} geöffnet.`,
    commented: ({ actor, subject, repository }) => `${actor} hat ${subject} in ${repository} kommentiert.`,
    approved: ({ actor, subject, repository }) => `${actor} hat ${subject} in ${repository} gebilligt.`,
    rejected: ({ actor, subject, repository }) => `${actor} hat Änderungen an ${subject} in ${repository} verlangt.`,
    reviewed: ({ actor, subject, repository }) => `${actor} hat ${subject} in ${repository} begutachtet.`,
    merged: ({ actor, subject, repository }) => `${actor} hat ${subject} in ${repository} zusammengeführt.`,
    closed: ({ actor, subject, repository }) => `${actor} hat ${subject} in ${repository} geschlossen.`,
    reopened: ({ actor, subject, repository }) => `${actor} hat ${subject} in ${repository} wieder geöffnet.`,
    pushed: ({ actor, subject, repository }) => `${actor} hat Commits zu ${subject} in ${repository} gepusht.`,
    requested: ({ actor, subject, repository }) => `${actor} bittet Sie, ${subject} in ${repository} zu begutachten.`,
    assigned: ({ actor, subject, repository }) => `${actor} hat Ihnen ${subject} in ${repository} zugewiesen.`,
    mentioned: ({ actor, subject, repository }) => `${actor} hat Sie in ${subject} in ${repository} erwähnt.`,
  },
  because: {
    mention: "Sie bekommen diesen Brief, weil Sie erwähnt werden.",
    requested: "Sie bekommen diesen Brief, weil Sie um ein Gutachten gebeten werden.",
    assign: "Sie bekommen diesen Brief, weil es Ihnen zugewiesen wurde.",
    author: "Sie bekommen diesen Brief, weil Sie es geöffnet haben.",
    assignee: "Sie bekommen diesen Brief, weil es Ihnen zugewiesen ist.",
    comment: "Sie bekommen diesen Brief, weil Sie darunter geschrieben haben.",
    subscribed: "Sie bekommen diesen Brief, weil Sie es abonniert haben.",
    watch: "Sie bekommen diesen Brief, weil Sie das Repository beobachten.",
    recipient: "Sie bekommen diesen Brief, weil das Repository Ihnen oder einer Organisation angeboten wird, die Ihnen gehört.",
    owner: "Sie bekommen diesen Brief, weil Ihnen gehört, wozu der Webhook gehört.",
  },
  noAnswers: "Antworten darauf liest niemand.",
  readAndAnswer: "Lesen und antworten",
  read: "Ansehen",
  noMoreOf: (kind) => `Nichts mehr von diesem ${kind}`,
  noMore: "Keine Briefe dieses Servers mehr über das, was geschieht",
  choose: (address) => `Welche Briefe Sie bekommen, bestimmen Sie: PATCH ${address}`,
  atLine: (path, line) => `${path}, Zeile ${line}`,
  moreCommits: "... und frühere",
  commit: {
    subject: (repository, oid) => `[${repository}] Ein Commit erwähnt Sie (${oid})`,
    mentioned: (actor, oid, repository) => `${actor} hat den Commit ${oid} nach ${repository} gepusht, dessen Nachricht Sie erwähnt.`,
  },
  offer: {
    subject: (repository, recipient) => `[${repository}] Wird ${recipient} angeboten`,
    offered: (actor, repository, recipient) => `${actor} möchte das Repository ${repository} an ${recipient} geben.`,
    answer: (accept, reject) => `Nehmen Sie es an mit POST ${accept}, oder lehnen Sie ab mit POST ${reject}. Bis dahin bleibt es, wo es ist.`,
  },
  recovery: {
    passwordSubject: (host) => `Ihr Passwort bei ${host}`,
    password: ({ name, origin, link }) =>
      `Jemand, vermutlich Sie, hat das Passwort von ${name} bei ${origin} vergessen.

Wählen Sie hier innerhalb einer Stunde ein neues:

${link}

Wenn Sie es nicht waren, ist nichts zu tun: Ihr Passwort bleibt, wie es ist.
`,
    addressSubject: (name, host) => `Ist das Ihre Adresse? ${name} bei ${host}`,
    address: ({ name, origin, link }) =>
      `${name} bei ${origin} gibt diese Adresse als eigene an. Wenn es Ihre ist, bestätigen Sie es hier innerhalb von drei Tagen:

${link}

Wenn Sie davon nichts wissen, ist nichts zu tun: Eine Adresse, die nur behauptet wurde, lässt niemanden ein.
`,
  },
  registration: {
    subject: (host) => `Ihr Konto bei ${host}`,
    begin: ({ origin, link }) =>
      `Jemand, vermutlich Sie, möchte ein Konto bei ${origin} mit dieser Adresse. Wählen Sie hier innerhalb eines Tages Namen und Passwort:

${link}

Wenn Sie es nicht waren, ist nichts zu tun: Ohne diesen Link entsteht kein Konto.
`,
    known: ({ name, origin, link }) =>
      `Jemand, vermutlich Sie, möchte ein Konto bei ${origin} mit dieser Adresse. Sie gehört dort schon zu ${name}. Melden Sie sich damit an, oder wählen Sie hier ein neues Passwort:

${link}

Wenn Sie es nicht waren, ist nichts zu tun: Ihr Konto bleibt, wie es ist.
`,
  },
  hook: {
    subject: (owner, host) => `[${owner}] Der Webhook zu ${host} versagt`,
    failed: (owner, host) =>
      `Der Webhook von ${owner} zu ${host} hat seit einem Tag nicht angenommen, was ihm gesagt wurde. Was so alt ist, wurde aufgegeben; Neueres wird weiter versucht.`,
    switchedOff: (owner, host) => `${host} möchte nichts mehr vom Webhook von ${owner} hören; der Webhook ist abgeschaltet.`,
    look: (address) => `Was gesendet wurde und was zurückkam: GET ${address}`,
  },
};
