import { grouping } from "../grouped.ts";
import type { people as english } from "./english.ts";

const grouped = grouping("de");

export const people: typeof english = {
  parts: (name) => `Teile des Profils von ${name}`,
  tabs: { repositories: "Repositorys", activity: "Aktivität", stars: "Sterne", followers: "Follower", following: "Folgt" },
  joined: "Dabei seit",
  organizations: "Organisationen",
  memberOf: "Mitglied von",
  follow: "Folgen",
  unfollow: "Nicht mehr folgen",
  feed: "Feed",
  edit: "Profil bearbeiten",
  none: {
    repositories: (name) => `${name} hat kein Repository, das Sie sehen können.`,
    activity: (name) => `${name} hat hier nichts getan, das Sie sehen können.`,
    stars: (name) => `${name} hat nichts, das Sie sehen können, einen Stern gegeben.`,
    followers: (name) => `Niemand, den Sie sehen können, folgt ${name}.`,
    following: (name) => `${name} folgt niemandem, den Sie sehen können.`,
  },
  found: "Nichts passt zu dieser Suche.",
  all: "Alle Repositorys dieses Kontos",
  find: "Ein Repository dieses Kontos finden",
  findButton: "Suchen",
  followers: (count) => (count === 1 ? "1 Follower" : `${grouped(count)} Follower`),
  following: (count) => `folgt ${grouped(count)}`,
  contributions: (count) => (count === 1 ? "1 Beitrag im letzten Jahr" : `${grouped(count)} Beiträge im letzten Jahr`),
  calendar: "Kalender der Beiträge",
  onDay: (count, day) => `${day}: ${count}`,
  byMonth: "Nach Monaten",
  month: "Monat",
  amount: "Beiträge",
  exploreParts: "Wonach man sucht",
  users: "Personen",
  explore: {
    find: { users: "Personen finden", organizations: "Organisation finden" },
    findButton: "Suchen",
    sort: "Reihenfolge",
    sorts: { alphabetically: "Name", newest: "Neueste", recentupdate: "Zuletzt geändert" },
    nothingFound: "Nichts passt zu dieser Suche.",
    tryAnother: "Ein kürzeres Wort hilft, oder ein Blick auf alle.",
    all: { users: "Alle Personen", organizations: "Alle Organisationen" },
    none: { users: "Es gibt noch niemanden, den Sie sehen können.", organizations: "Es gibt noch keine Organisation, die Sie sehen können." },
    count: {
      users: (total) => (total === 1 ? "1 Person" : `${grouped(total)} Personen`),
      organizations: (total) => (total === 1 ? "1 Organisation" : `${grouped(total)} Organisationen`),
    },
  },
};
