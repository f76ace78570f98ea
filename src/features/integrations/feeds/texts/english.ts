/** Titles of feeds. */
export const english = {
  ofPerson: (name: string) => `Activity of ${name}`,
  ofRepository: (name: string) => `Activity in ${name}`,
  releases: (name: string) => `Releases of ${name}`,
  tags: (name: string) => `Tags of ${name}`,
  commits: (name: string, rev: string) => `Commits on ${rev} in ${name}`,
  commitsOf: (name: string, rev: string, path: string) => `Commits on ${rev} that changed ${path} in ${name}`,
};
