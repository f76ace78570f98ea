/** The header of every page of an organization. */
export const english = {
  title: "Organization",
  parts: (name: string) => `Organization ${name}`,
  tabs: { repositories: "Repositories", activity: "Activity", members: "Members", teams: "Teams", settings: "Settings" },
  create: "New organization",
  submit: "Create organization",
};
