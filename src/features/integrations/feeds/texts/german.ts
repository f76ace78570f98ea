import type { english } from "./english.ts";

export const german: typeof english = {
  ofPerson: (name) => `Aktivität von ${name}`,
  ofRepository: (name) => `Aktivität in ${name}`,
  releases: (name) => `Releases von ${name}`,
  tags: (name) => `Tags von ${name}`,
  commits: (name, rev) => `Commits auf ${rev} in ${name}`,
  commitsOf: (name, rev, path) => `Commits auf ${rev}, die ${path} änderten, in ${name}`,
};
