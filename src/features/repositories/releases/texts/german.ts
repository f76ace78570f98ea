import type { english } from "./english.ts";

export const german: typeof english = {
  title: "Releases",
  none: "Noch keine Releases",
  firstOne: "Ein Release ist ein Tag mit Notizen und Dateien.",
  noneForWriters: "Ein Release ist ein Tag mit Notizen und Dateien. Der Tag kann mit ihm erstellt werden.",
  editOf: (name) => `${name} bearbeiten`,
  edit: "Bearbeiten",
  delete: "Löschen",
  draft: "Entwurf",
  prerelease: "Vorabversion",
  latest: "Aktuell",
  published: "hat dies {when} veröffentlicht",
  since: (branch) => `Seither auf ${branch}`,
  files: "Dateien",
  source: (ending) => `Quellcode (${ending})`,
  downloads: (count) => (count === 1 ? "1 Download" : `${count} Downloads`),
  noNote: "Keine Release-Notizen.",
};
