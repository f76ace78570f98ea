import type { EmailTexts } from "./english.ts";

export const german: EmailTexts = {
  language: "de",
  theServer: "Der Server",
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
    pushed: ({ actor, subject, repository }) => `${actor} hat Commits zu ${subject} in ${repository} gepusht.`,
    requested: ({ actor, subject, repository }) => `${actor} hat Ihr Review zu ${subject} in ${repository} angefordert.`,
    assigned: ({ actor, subject, repository }) => `${actor} hat Ihnen ${subject} in ${repository} zugewiesen.`,
    mentioned: ({ actor, subject, repository }) => `${actor} hat Sie in ${subject} in ${repository} erwähnt.`,
  },
  because: {
    mention: "Sie erhalten diese E-Mail, weil Sie erwähnt wurden.",
    requested: "Sie erhalten diese E-Mail, weil Ihr Review angefordert wurde.",
    assign: "Sie erhalten diese E-Mail, weil Sie zugewiesen wurden.",
    author: "Sie erhalten diese E-Mail, weil Sie der Autor sind.",
    assignee: "Sie erhalten diese E-Mail, weil Sie zugewiesen sind.",
    comment: "Sie erhalten diese E-Mail, weil Sie kommentiert haben.",
    subscribed: "Sie erhalten diese E-Mail, weil Sie dies abonniert haben.",
    watch: "Sie erhalten diese E-Mail, weil Sie das Repository beobachten.",
    recipient: "Sie erhalten diese E-Mail, weil das Repository an Sie oder an eine Ihrer Organisationen übertragen werden soll.",
    owner: "Sie erhalten diese E-Mail, weil der Webhook Ihnen gehört.",
  },
  noAnswers: "Antworten auf diese E-Mail werden nicht gelesen.",
  readAndAnswer: "Ansehen und antworten",
  read: "Ansehen",
  noMoreOf: (kind) => `Benachrichtigungen zu diesem ${kind} abbestellen`,
  noMore: "Alle Benachrichtigungen dieses Servers abbestellen",
  choose: (address) => `E-Mail-Einstellungen ändern: PATCH ${address}`,
  atLine: (path, line) => `${path}, Zeile ${line}`,
  moreCommits: "... und frühere",
  commit: {
    subject: (repository, oid) => `[${repository}] Sie wurden in einem Commit erwähnt (${oid})`,
    mentioned: (actor, oid, repository) => `${actor} hat Sie im Commit ${oid} in ${repository} erwähnt.`,
  },
  offer: {
    subject: (repository, recipient) => `[${repository}] Übertragung an ${recipient}`,
    offered: (actor, repository, recipient) => `${actor} möchte das Repository ${repository} an ${recipient} übertragen.`,
    answer: (accept, reject) => `Nehmen Sie die Übertragung mit POST ${accept} an, oder lehnen Sie sie mit POST ${reject} ab.`,
  },
  recovery: {
    passwordSubject: (host) => `Ihr Passwort bei ${host}`,
    password: ({ name, origin, link }) =>
      `Für ${name} bei ${origin} wurde ein neues Passwort angefordert.

Legen Sie es hier innerhalb einer Stunde fest:

${link}

Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ihr Passwort bleibt unverändert.
`,
    addressSubject: (name, host) => `E-Mail-Adresse für ${name} bei ${host} bestätigen`,
    address: ({ name, origin, link }) =>
      `${name} bei ${origin} hat diese E-Mail-Adresse hinzugefügt. Bestätigen Sie sie hier innerhalb von drei Tagen:

${link}

Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Mit einer nicht bestätigten Adresse kann sich niemand anmelden.
`,
  },
  registration: {
    subject: (host) => `Ihr Konto bei ${host}`,
    begin: ({ origin, link }) =>
      `Mit dieser E-Mail-Adresse wurde ein Konto bei ${origin} angefordert. Wählen Sie hier innerhalb eines Tages Benutzernamen und Passwort:

${link}

Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ohne diesen Link wird kein Konto erstellt.
`,
    known: ({ name, origin, link }) =>
      `Mit dieser E-Mail-Adresse wurde ein Konto bei ${origin} angefordert, aber sie gehört dort schon zu ${name}. Melden Sie sich damit an, oder legen Sie hier ein neues Passwort fest:

${link}

Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ihr Konto bleibt unverändert.
`,
  },
  hook: {
    subject: (owner, host) => `[${owner}] Der Webhook zu ${host} schlägt fehl`,
    failed: (owner, host) =>
      `Der Webhook von ${owner} zu ${host} schlägt seit 24 Stunden fehl. Ältere Zustellungen wurden verworfen; neuere werden weiter versucht.`,
    switchedOff: (owner, host) => `Der Webhook von ${owner} zu ${host} wurde deaktiviert, weil ${host} mitgeteilt hat, dass es ihn nicht mehr gibt.`,
    look: (address) => `Letzte Zustellungen: GET ${address}`,
  },
};
