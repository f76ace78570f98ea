/** The header and footer of every page. */
export const site = {
  skip: "Skip to content",
  places: "Navigation",
  explore: "Explore",
  search: "Search repositories",
  signIn: "Sign in",
  signOut: "Sign out",
  menuOf: (name: string) => `Menu of ${name}`,
  profile: "Profile",
  sessions: "Sessions",
  applications: "Applications",
  identities: "Linked accounts",
  forPrograms: "API",
};
