import type { english } from "./english.ts";

export const german: typeof english = {
  title: "Angeheftet",
  customize: "Angeheftete anpassen",
  hint: (max) => `Ihr Profil zeigt bis zu ${max} angeheftete Repositorys zuerst, jedes für die Benutzer, die es lesen können.`,
  organizationHint: (max) => `Das Profil der Organisation zeigt bis zu ${max} ihrer Repositorys zuerst, jedes für die Benutzer, die es lesen können.`,
  none: "Keine angehefteten Repositorys",
  add: "Repository anheften",
  repository: "Repository",
  repositoryHint: "Der Name eines Ihrer Repositorys, oder Besitzer/Name.",
  ownHint: "Der Name eines Repositorys dieser Organisation.",
  pin: "Repository anheften",
  unpin: "Lösen",
  moves: { up: "Nach oben", down: "Nach unten" },
  full: (max) => `${max} Repositorys sind angeheftet. Lösen Sie eines, um ein anderes anzuheften.`,
};
