import type { english } from "./english.ts";

export const german: typeof english = {
  title: "Organisation",
  parts: (name) => `Organisation ${name}`,
  tabs: { repositories: "Repositorys", activity: "Aktivität", members: "Mitglieder", teams: "Teams", settings: "Einstellungen" },
  create: "Neue Organisation",
  submit: "Organisation erstellen",
};
