import { grouping } from "../../../../ui/texts/numbers.ts";
import type { english } from "./english.ts";

const grouped = grouping("de");

export const german: typeof english = {
  newRepository: "Neues Repository",
  parts: (name) => `Profil von ${name}`,
  tabs: { repositories: "Repositorys", activity: "Aktivität", stars: "Sterne", followers: "Follower", following: "Folgt" },
  memberOf: "Mitglied von",
  follow: "Folgen",
  unfollow: "Nicht mehr folgen",
  feed: "Feed",
  edit: "Profil bearbeiten",
  none: {
    repositories: (name) => `${name} hat keine für Sie sichtbaren Repositorys.`,
    activity: (name) => `${name} hat keine für Sie sichtbaren Aktivitäten.`,
    stars: (name) => `${name} hat keine für Sie sichtbaren Repositorys mit Stern versehen.`,
    followers: (name) => `${name} hat keine für Sie sichtbaren Follower.`,
    following: (name) => `${name} folgt keinen für Sie sichtbaren Benutzern.`,
  },
  createIn: (name, seesAll) => (seesAll ? `${name} hat noch keine Repositorys.` : `Erstellen Sie ein Repository in ${name}`),
  noneOwn: {
    repositories: "Sie haben noch keine Repositorys.",
    activity: "Sie haben noch keine Aktivitäten.",
    stars: "Sie haben noch kein Repository mit einem Stern versehen.",
    followers: "Sie haben noch keine Follower.",
    following: "Sie folgen noch keinen Benutzern.",
  },
  found: "Keine Ergebnisse",
  all: "Alle Repositorys",
  find: "Repositorys suchen",
  findButton: "Suchen",
  followers: (count) => (count === 1 ? "1 Follower" : `${grouped(count)} Follower`),
  following: (count) => `folgt ${grouped(count)}`,
  contributions: (count) => (count === 1 ? "1 Beitrag im letzten Jahr" : `${grouped(count)} Beiträge im letzten Jahr`),
  calendar: "Beitragskalender",
  onDay: (count, day) => `${day}: ${count}`,
  byMonth: "Nach Monaten",
  month: "Monat",
  amount: "Beiträge",
  explore: {
    find: { users: "Benutzer suchen", organizations: "Organisationen suchen" },
    findButton: "Suchen",
    sort: "Sortieren",
    sorts: { alphabetically: "Name", newest: "Neueste", recentupdate: "Zuletzt aktualisiert" },
    nothingFound: "Keine Ergebnisse",
    tryAnother: "Versuchen Sie es mit einem kürzeren Suchbegriff, oder sehen Sie sich alle an.",
    all: { users: "Alle Benutzer", organizations: "Alle Organisationen" },
    none: { users: "Für Sie sind keine Benutzer sichtbar.", organizations: "Für Sie sind keine Organisationen sichtbar." },
    count: {
      users: (total) => (total === 1 ? "1 Benutzer" : `${grouped(total)} Benutzer`),
      organizations: (total) => (total === 1 ? "1 Organisation" : `${grouped(total)} Organisationen`),
    },
  },
};
