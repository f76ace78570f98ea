/** The frame around every page. */
export const site = {
  skip: "Skip to content",
  places: "Places",
  explore: "Explore",
  search: "Search repositories",
  signIn: "Sign in",
  signOut: "Sign out",
  menuOf: (name: string) => `Menu of ${name}`,
  profile: "Profile",
  sessions: "Where you are signed in",
  applications: "Applications",
  identities: "Identities elsewhere",
  forPrograms: "The interface for programs",
};
