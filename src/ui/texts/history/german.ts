import type { history as english } from "./english.ts";

export const history: typeof english = {
  title: (name) => `Commits auf ${name}`,
  none: "Hier gibt es keine Commits.",
  by: (name) => `von ${name}`,
  verified: "Geprüft",
  browse: "Dateien bei diesem Commit",
  ofPath: "Commits, die dies geändert haben:",
};
