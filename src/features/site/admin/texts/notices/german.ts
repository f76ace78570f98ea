import type { english } from "./english.ts";

export const german: typeof english = {
  intro: "Fehler des Servers, die Administratoren kennen sollten, die neuesten zuerst. Sie werden nach 90 Tagen gelöscht.",
  none: "Keine Hinweise",
  sentences: {
    job_failed: (subject) => `Der Hintergrundjob ${subject} ist endgültig fehlgeschlagen.`,
    mirror_failed: (subject) => `Der Spiegel konnte nicht mit ${subject} synchronisiert werden.`,
    hook_failed: (subject) => `Zustellungen eines Webhooks an ${subject} schlagen so lange fehl, dass einige verworfen wurden.`,
    hook_deactivated: (subject) => `Der Webhook an ${subject} wurde deaktiviert: Sein Empfänger hat sich abgemeldet.`,
    store_damaged: (subject) => `Eine Prüfung hat beschädigte oder fehlende Objekte im Speicher ${subject} gefunden.`,
  },
  delete: "Hinweis löschen",
  deleteAll: "Alle Hinweise löschen",
  jobs: "Jobs",
  overview: "Gefundene Probleme",
};
