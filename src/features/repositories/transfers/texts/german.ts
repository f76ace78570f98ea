import type { english } from "./english.ts";

export const german: typeof english = {
  title: "Eigentum übertragen",
  hint: "Der neue Besitzer erhält die volle Kontrolle über das Repository. Wenn Sie nicht für den neuen Besitzer handeln, muss dieser die Übertragung zuerst annehmen.",
  newOwner: "Neuer Besitzer",
  newOwnerHint: "Ein Benutzer oder eine Organisation.",
  teams: "Teams mit Zugriff",
  submit: "Übertragen",
  waits: (name) => `Die Übertragung an ${name} steht noch aus.`,
  withdraw: "Übertragung abbrechen",
  question: "Dieses Repository annehmen?",
  from: "{owner} möchte {repository} an {recipient} übertragen.",
  accept: "Annehmen",
  reject: "Ablehnen",
  nothing: "Keine ausstehende Übertragung.",
};
