import type { english } from "./english.ts";

export const german: typeof english = {
  issues: "Issues",
  pulls: "Pull-Requests",
  notifications: "Benachrichtigungen",
  skip: "Zum Inhalt springen",
  places: "Navigation",
  explore: "Entdecken",
  search: "Repositorys suchen",
  signIn: "Anmelden",
  signOut: "Abmelden",
  menuOf: (name) => `Menü von ${name}`,
  create: "Erstellen",
  newRepository: "Neues Repository",
  profile: "Profil",
  forPrograms: "API",
};
