import { grouping } from "../grouped.ts";
import type { dashboard as english } from "./english.ts";

const grouped = grouping("de");

export const dashboard: typeof english = {
  title: "Ihre Arbeit",
  waiting: "Wartet auf Sie",
  nothingWaits: "Nichts wartet auf Sie.",
  sections: {
    reviews: "Reviews, um die Sie gebeten sind",
    assigned: "Ihnen zugewiesen",
    mentioned: "Wo Sie erwähnt sind",
    pulls: "Ihre offenen Pull-Requests",
  },
  all: "Alle zeigen",
  news: (count) => (count === 1 ? "1 ungelesene Benachrichtigung" : `${grouped(count)} ungelesene Benachrichtigungen`),
  activity: "Was zuletzt geschah",
  quiet: "In dem, was Ihnen gehört oder was Sie beobachten, ist noch nichts geschehen.",
  repositories: "Ihre Repositorys",
  newRepository: "Neues Repository",
  welcome: (name) => `Willkommen, ${name}`,
  first: "Drei Schritte, und Sie haben hier etwas:",
  steps: {
    repository: ["Ein Repository anlegen", "Leer, mit einem README oder aus einer Vorlage."],
    key: ["Ihren SSH-Schlüssel hinzufügen", "Dann kennt git Sie ohne Passwort."],
    explore: ["Ansehen, was andere haben", "Geben Sie einen Stern, was Ihnen gefällt, und beobachten Sie, wovon Sie hören möchten."],
  },
  issues: "Issues",
  pulls: "Pull-Requests",
  findIssues: "Issues in allen Repositorys finden",
  findPulls: "Pull-Requests in allen Repositorys finden",
  howToFind:
    "Wörter, und is:open, is:closed, author:name, assignee:@me, mentions:@me, review-requested:@me, reviewed-by:@me, owner:name, label:bug, milestone:name; Anführungszeichen halten einen Namen zusammen; sort:updated oder sort:created-asc nennen die Reihenfolge",
  views: { assigned: "Zugewiesen", created: "Angelegt", mentioned: "Erwähnt", requested: "Review erbeten", reviewed: "Durchgesehen" },
  noneOf: {
    assigned: "Nichts Offenes ist Ihnen zugewiesen",
    created: "Sie haben nichts angelegt, das noch offen ist",
    mentioned: "Nichts Offenes erwähnt Sie",
    requested: "Niemand wartet auf Ihr Review",
    reviewed: "Sie haben nichts durchgesehen, das noch offen ist",
  },
  lookAtAllIssues: "Alle Issues, die Sie sehen können",
  lookAtAllPulls: "Alle Pull-Requests, die Sie sehen können",
  viewsOf: "Welche",
};
