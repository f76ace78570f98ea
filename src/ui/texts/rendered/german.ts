import type { english } from "./english.ts";

export const german: typeof english = {
  task: "Aufgabe",
  createIssue: "Issue erstellen",
  contents: "Inhalt",
  headingLink: "Link zu dieser Überschrift",
  alerts: { note: "Hinweis", tip: "Tipp", important: "Wichtig", warning: "Warnung", caution: "Vorsicht" },
};
