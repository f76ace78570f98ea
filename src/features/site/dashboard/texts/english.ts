import { grouping } from "../../../../ui/texts/numbers.ts";

const grouped = grouping("en");

/** The dashboard of a signed-in user, and the lists across repositories. */
export const english = {
  title: "Dashboard",
  waiting: "Needs your attention",
  nothingWaits: "You're all caught up.",
  sections: {
    reviews: "Review requests",
    assigned: "Assigned to you",
    mentioned: "Mentioning you",
    pulls: "Your open pull requests",
  },
  all: "Show all",
  news: (count: number) => (count === 1 ? "1 unread notification" : `${grouped(count)} unread notifications`),
  contributions: "Contributions in the last year",
  activity: "Recent activity",
  quiet: "No activity yet in your repositories or in those that you watch.",
  contextOf: (name: string) => `Dashboard of ${name}: choose another`,
  quietIn: (name: string) => `No activity yet in the repositories of ${name}.`,
  repositories: "Your repositories",
  repositoriesOfOrganization: "Repositories",
  newRepository: "New",
  findRepository: "Find a repository",
  organizations: "Your organizations",
  welcome: (name: string) => `Welcome, ${name}`,
  first: "Get started in three steps:",
  steps: {
    repository: ["Create a repository", "Empty, with a README, or from a template."],
    key: ["Add your SSH key", "Use git without a password."],
    explore: ["Explore repositories", "Star repositories you like, and watch those you want to follow."],
  },
  findIssues: "Search issues in all repositories",
  findPulls: "Search pull requests in all repositories",
  views: { assigned: "Assigned", created: "Created", mentioned: "Mentioned", requested: "Review requested", reviewed: "Reviewed" },
  noneOf: {
    assigned: "No open items are assigned to you",
    created: "You have no open items",
    mentioned: "No open items mention you",
    requested: "No pending review requests",
    reviewed: "You have not reviewed any open items",
  },
  lookAtAllIssues: "View all issues",
  lookAtAllPulls: "View all pull requests",
  viewsOf: "Filter",
};
