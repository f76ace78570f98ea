import type { english } from "./english.ts";

export const german: typeof english = {
  description: "Beschreibung",
  milestones: "Meilensteine",
  open: "Offen",
  closed: "Geschlossen",
  noMilestones: { open: "Keine offenen Meilensteine", closed: "Keine geschlossenen Meilensteine" },
  noMilestonesHint: "Mit Meilensteinen fassen Sie Issues und Pull-Requests zusammen und verfolgen ihren Fortschritt.",
  newMilestone: "Neuer Meilenstein",
  create: "Meilenstein erstellen",
  editMilestone: (title) => `Meilenstein ${title} bearbeiten`,
  title: "Titel",
  due: "Fällig",
  dueOn: "fällig am",
  wasDueOn: "war fällig am",
  noDate: "Geben Sie ein Datum wie 2030-01-31 ein.",
  close: "Schließen",
  reopen: "Wieder öffnen",
  progress: (open, closed) => `${open} offen, ${closed} geschlossen${open + closed === 0 ? "" : ` (${Math.floor((100 * closed) / (open + closed))} %)`}`,
};
