import type { site as english } from "./english.ts";

export const site: typeof english = {
  skip: "Zum Inhalt springen",
  places: "Navigation",
  explore: "Entdecken",
  search: "Repositorys suchen",
  signIn: "Anmelden",
  signOut: "Abmelden",
  menuOf: (name) => `Menü von ${name}`,
  profile: "Profil",
  sessions: "Sitzungen",
  applications: "Anwendungen",
  identities: "Verknüpfte Konten",
  forPrograms: "API",
};
