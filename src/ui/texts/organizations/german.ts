import type { organizations as english } from "./english.ts";

export const organizations: typeof english = {
  create: "Neue Organisation",
  createHint: "Einer Organisation gehören Repositorys gemeinsam, und sie gibt sie Teams.",
  settings: "Einstellungen der Organisation",
  sections: { general: "Allgemein", hooks: "Webhooks" },
  name: "Name",
  fullName: "Voller Name",
  email: "E-Mail-Adresse",
  description: "Beschreibung",
  website: "Website",
  location: "Ort",
  visibility: "Wer sie sieht",
  visibilities: { public: "Alle", limited: "Wer angemeldet ist", private: "Ihre Mitglieder" },
  teamAccess: "Wer ein Repository verwaltet, wählt seine Teams",
  rename: "Anders nennen",
  renameHint: "Der bisherige Name führt hierher, bis ihn jemand nimmt.",
  newName: "Neuer Name",
  delete: "Löschen",
  deleteHint: "Ihr darf kein Repository mehr gehören.",
  confirm: (name) => `Schreiben Sie ${name}, um fortzufahren`,
  mismatch: "So heißt sie nicht.",
};
