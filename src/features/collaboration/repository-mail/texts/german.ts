import type { english } from "./english.ts";

export const german: typeof english = {
  view: "Ansehen",
  unsubscribe: "Alle Benachrichtigungen dieses Servers abbestellen",
  commit: {
    subject: (repository, oid) => `[${repository}] Sie wurden in einem Commit erwähnt (${oid})`,
    mentioned: (actor, oid, repository) => `${actor} hat Sie im Commit ${oid} in ${repository} erwähnt.`,
  },
  offer: {
    subject: (repository, recipient) => `[${repository}] Übertragung an ${recipient}`,
    offered: (actor, repository, recipient) => `${actor} möchte das Repository ${repository} an ${recipient} übertragen.`,
    answer: (accept, reject) => `Nehmen Sie die Übertragung mit POST ${accept} an, oder lehnen Sie sie mit POST ${reject} ab.`,
  },
  release: {
    subject: (repository, release) => `[${repository}] Release ${release}`,
    published: (actor, release, repository) => `${actor} hat das Release ${release} in ${repository} veröffentlicht.`,
  },
  hook: {
    subject: (owner, host) => `[${owner}] Der Webhook zu ${host} schlägt fehl`,
    failed: (owner, host) =>
      `Der Webhook von ${owner} zu ${host} schlägt seit 24 Stunden fehl. Ältere Zustellungen wurden verworfen; neuere werden weiter versucht.`,
    switchedOff: (owner, host) => `Der Webhook von ${owner} zu ${host} wurde deaktiviert, weil ${host} mitgeteilt hat, dass es ihn nicht mehr gibt.`,
    look: (address) => `Letzte Zustellungen: GET ${address}`,
  },
};
