import type { english } from "./english.ts";

export const german: typeof english = {
  title: "Sternlisten",
  none: "Keine Sternlisten",
  hint: "Listen ordnen die Repositorys, denen Sie einen Stern gegeben haben. Ihr Profil zeigt sie unter „Sterne“.",
  add: "Neue Sternliste",
  edit: (name) => `${name} bearbeiten`,
  name: "Name",
  description: "Beschreibung",
  isPrivate: "Privat: Nur Sie sehen diese Liste",
  privateList: "Privat",
  create: "Liste erstellen",
  save: "Liste aktualisieren",
  all: "Alle Sterne",
  manage: "Sternlisten verwalten",
  menu: "Listen",
  addTo: (list) => `Zu ${list} hinzufügen`,
  removeFrom: (list) => `Aus ${list} entfernen`,
  empty: "Diese Liste hat keine für Sie sichtbaren Repositorys.",
};
