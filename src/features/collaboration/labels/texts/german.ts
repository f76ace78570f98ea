import type { english } from "./english.ts";

export const german: typeof english = {
  labels: "Labels",
  noLabels: "Noch keine Labels",
  noLabelsHint: "Mit Labels kategorisieren Sie Issues und Pull-Requests.",
  sort: "Sortieren",
  orders: { name: "Name", "name-desc": "Name, Z bis A", newest: "Neueste", oldest: "Älteste", issues: "Meiste offene Issues" },
  newLabel: "Neues Label",
  create: "Label erstellen",
  editLabel: (name) => `Label ${name} bearbeiten`,
  name: "Name",
  nameHint: "Verwenden Sie bereich/name für Labels, die einander ausschließen.",
  color: "Farbe",
  isExclusive: "Exklusiv: Nur ein Label dieses Bereichs kann gesetzt sein",
  isArchived: "Archiviert: Bestehende Zuordnungen bleiben, neue sind nicht möglich",
  archived: "archiviert",
  openIssues: (count, hasMore) => (count === 1 ? "1 offenes Issue" : `${hasMore ? "mindestens " : ""}${count} offene Issues`),
};
