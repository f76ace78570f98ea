import type { english } from "./english.ts";

export const german: typeof english = {
  title: "Gespeicherte Suchen",
  none: "Keine gespeicherten Suchen",
  hint: "Speichern Sie Suchanfragen, die Sie oft verwenden. Die Listen der Issues und Pull-Requests aller Repositorys zeigen sie neben dem Suchfeld.",
  add: "Neue gespeicherte Suche",
  edit: (name) => `${name} bearbeiten`,
  name: "Name",
  kind: "Liste",
  kinds: { issues: "Issues", pulls: "Pull-Requests" },
  query: "Suchanfrage",
  saveThis: "Diese Suche speichern",
  create: "Suche speichern",
  save: "Suche aktualisieren",
  manage: "Gespeicherte Suchen verwalten",
};
