import { grouping } from "../../../../ui/texts/numbers.ts";

const grouped = grouping("en");

/** Profiles of users and organizations, and lists of them. */
export const english = {
  newRepository: "New repository",
  parts: (name: string) => `Profile of ${name}`,
  tabs: { repositories: "Repositories", activity: "Activity", stars: "Stars", followers: "Followers", following: "Following" },
  memberOf: "Member of",
  follow: "Follow",
  unfollow: "Unfollow",
  feed: "Feed",
  edit: "Edit profile",
  none: {
    repositories: (name: string) => `${name} has no repositories visible to you.`,
    activity: (name: string) => `${name} has no activity visible to you.`,
    stars: (name: string) => `${name} has no starred repositories visible to you.`,
    followers: (name: string) => `${name} has no followers visible to you.`,
    following: (name: string) => `${name} is not following any users visible to you.`,
  },
  /** Members who are not owners may not see all repositories. */
  createIn: (name: string, seesAll: boolean) => (seesAll ? `${name} has no repositories yet.` : `Create a repository in ${name}`),
  noneOwn: {
    repositories: "You have no repositories yet.",
    activity: "You have no activity yet.",
    stars: "You have not starred any repositories yet.",
    followers: "You have no followers yet.",
    following: "You are not following any users yet.",
  },
  found: "No results",
  all: "All repositories",
  find: "Search repositories",
  findButton: "Search",
  followers: (count: number) => (count === 1 ? "1 follower" : `${grouped(count)} followers`),
  following: (count: number) => `${grouped(count)} following`,
  contributions: (count: number) => (count === 1 ? "1 contribution in the last year" : `${grouped(count)} contributions in the last year`),
  calendar: "Contribution calendar",
  onDay: (count: number, day: string) => `${day}: ${count}`,
  byMonth: "By month",
  month: "Month",
  amount: "Contributions",
  explore: {
    find: { users: "Search users", organizations: "Search organizations" },
    findButton: "Search",
    sort: "Sort",
    sorts: { alphabetically: "Name", newest: "Newest", recentupdate: "Recently updated" },
    nothingFound: "No results",
    tryAnother: "Try a shorter search term, or view all.",
    all: { users: "All users", organizations: "All organizations" },
    none: { users: "No users are visible to you.", organizations: "No organizations are visible to you." },
    count: {
      users: (total: number) => (total === 1 ? "1 user" : `${grouped(total)} users`),
      organizations: (total: number) => (total === 1 ? "1 organization" : `${grouped(total)} organizations`),
    },
  },
};
