import type { english } from "./english.ts";

export const german: typeof english = {
  repositories: "Repositorys",
  organizations: "Organisationen",
  parts: "Entdecken",
  users: "Benutzer",
};
