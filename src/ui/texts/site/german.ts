import type { site as english } from "./english.ts";

export const site: typeof english = {
  skip: "Zum Inhalt",
  places: "Orte",
  explore: "Entdecken",
  search: "Repositorys suchen",
  signIn: "Anmelden",
  signOut: "Abmelden",
  menuOf: (name) => `Menü von ${name}`,
  profile: "Profil",
  sessions: "Wo Sie angemeldet sind",
  applications: "Anwendungen",
  identities: "Konten anderswo",
  forPrograms: "Die Schnittstelle für Programme",
};
