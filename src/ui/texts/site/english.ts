/** The header and footer of every page. */
export const english = {
  issues: "Issues",
  pulls: "Pull requests",
  notifications: "Notifications",
  skip: "Skip to content",
  places: "Navigation",
  explore: "Explore",
  search: "Search repositories",
  signIn: "Sign in",
  signOut: "Sign out",
  menuOf: (name: string) => `Menu of ${name}`,
  create: "Create",
  newRepository: "New repository",
  profile: "Profile",
  forPrograms: "API",
};
