import type { english } from "./english.ts";

export const german: typeof english = {
  title: (count) => (count === 1 ? "1 Kommentar" : `${count} Kommentare`),
  none: "Keine Kommentare",
  write: "Kommentar hinzufügen",
  comment: "Kommentieren",
  signIn: "um diesen Commit zu kommentieren.",
  editTitle: (commit) => `Kommentar zum Commit ${commit} bearbeiten`,
};
