import { grouping } from "../grouped.ts";

const grouped = grouping("en");

/** The front page of somebody who has signed in, and the lists across repositories. */
export const dashboard = {
  title: "Your work",
  waiting: "Waiting for you",
  nothingWaits: "Nothing waits for you.",
  sections: {
    reviews: "Reviews that you are asked for",
    assigned: "Assigned to you",
    mentioned: "Where you are mentioned",
    pulls: "Your open pull requests",
  },
  all: "Show all",
  news: (count: number) => (count === 1 ? "1 unread notification" : `${grouped(count)} unread notifications`),
  activity: "What happened lately",
  quiet: "Nothing has happened yet in what is yours or what you watch.",
  repositories: "Your repositories",
  newRepository: "New repository",
  welcome: (name: string) => `Welcome, ${name}`,
  first: "Three steps, and you have something here:",
  steps: {
    repository: ["Make a repository", "Empty, with a README, or from a template."],
    key: ["Add your SSH key", "Then git knows you without a password."],
    explore: ["Look at what others have", "Star what you like, watch what you want to hear of."],
  },
  issues: "Issues",
  pulls: "Pull requests",
  findIssues: "Find issues in all repositories",
  findPulls: "Find pull requests in all repositories",
  howToFind:
    "Words, and is:open, is:closed, author:name, assignee:@me, mentions:@me, review-requested:@me, reviewed-by:@me, owner:name, label:bug, milestone:name; quotes hold a name together; sort:updated or sort:created-asc say the order",
  views: { assigned: "Assigned", created: "Created", mentioned: "Mentioned", requested: "Reviews asked for", reviewed: "Reviewed" },
  noneOf: {
    assigned: "Nothing that is open is assigned to you",
    created: "You have opened nothing that is still open",
    mentioned: "Nothing that is open mentions you",
    requested: "Nobody waits for your review",
    reviewed: "You have reviewed nothing that is still open",
  },
  lookAtAllIssues: "All issues that you can see",
  lookAtAllPulls: "All pull requests that you can see",
  viewsOf: "Which ones",
};
