import type { releases as english } from "./english.ts";

export const releases: typeof english = {
  title: "Veröffentlichungen",
  none: "Hier gibt es noch keine Veröffentlichung",
  firstOne: "Eine Veröffentlichung ist ein Tag mit Notizen und Dateien: den Tag pushen, dann über die API veröffentlichen.",
  draft: "Entwurf",
  prerelease: "Vorabversion",
  published: "hat dies veröffentlicht",
  files: "Dateien",
  source: (ending) => `Quelltext (${ending})`,
  downloads: (count) => (count === 1 ? "1-mal heruntergeladen" : `${count}-mal heruntergeladen`),
  noNote: "Keine Notizen.",
};
