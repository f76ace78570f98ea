import { grouping } from "../grouped.ts";

const grouped = grouping("en");

/** Profiles of people and organizations, and lists of them. */
export const people = {
  parts: (name: string) => `Parts of the profile of ${name}`,
  tabs: { repositories: "Repositories", activity: "Activity", stars: "Stars", followers: "Followers", following: "Following" },
  joined: "Joined",
  organizations: "Organizations",
  memberOf: "Member of",
  follow: "Follow",
  unfollow: "Unfollow",
  feed: "Feed",
  edit: "Edit the profile",
  none: {
    repositories: (name: string) => `${name} has no repository that you can see.`,
    activity: (name: string) => `${name} has done nothing here that you can see.`,
    stars: (name: string) => `${name} has starred nothing that you can see.`,
    followers: (name: string) => `Nobody that you can see follows ${name}.`,
    following: (name: string) => `${name} follows nobody that you can see.`,
  },
  found: "Nothing fits this search.",
  all: "All repositories of this account",
  find: "Find a repository of this account",
  findButton: "Find",
  followers: (count: number) => (count === 1 ? "1 follower" : `${grouped(count)} followers`),
  following: (count: number) => `${grouped(count)} following`,
  contributions: (count: number) => (count === 1 ? "1 contribution in the last year" : `${grouped(count)} contributions in the last year`),
  calendar: "Calendar of contributions",
  onDay: (count: number, day: string) => `${day}: ${count}`,
  byMonth: "By month",
  month: "Month",
  amount: "Contributions",
  exploreParts: "What to look for",
  users: "People",
  explore: {
    find: { users: "Find people", organizations: "Find an organization" },
    findButton: "Find",
    sort: "Sort",
    sorts: { alphabetically: "Name", newest: "Newest", recentupdate: "Recently changed" },
    nothingFound: "Nothing fits this search.",
    tryAnother: "Try a shorter word, or look at all of them.",
    all: { users: "All people", organizations: "All organizations" },
    none: { users: "There is nobody that you can see yet.", organizations: "There is no organization that you can see yet." },
    count: {
      users: (total: number) => (total === 1 ? "1 person" : `${grouped(total)} people`),
      organizations: (total: number) => (total === 1 ? "1 organization" : `${grouped(total)} organizations`),
    },
  },
};
