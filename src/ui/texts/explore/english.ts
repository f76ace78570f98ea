/** The tabs of the pages that list everything. */
export const english = {
  repositories: "Repositories",
  organizations: "Organizations",
  parts: "Explore",
  users: "Users",
};
