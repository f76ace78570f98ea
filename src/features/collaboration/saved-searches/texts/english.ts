/** Saved searches. */
export const english = {
  title: "Saved searches",
  none: "No saved searches",
  hint: "Save queries that you use often. The lists of issues and pull requests of all repositories show them beside the search box.",
  add: "New saved search",
  edit: (name: string) => `Edit ${name}`,
  name: "Name",
  kind: "List",
  kinds: { issues: "Issues", pulls: "Pull requests" },
  query: "Query",
  saveThis: "Save this search",
  create: "Save search",
  save: "Update search",
  manage: "Manage saved searches",
};
