import type { english } from "./english.ts";

export const german: typeof english = {
  createHint: "Organisationen besitzen Repositorys und geben Teams Zugriff darauf.",
  name: "Name",
  fullName: "Vollständiger Name",
  email: "E-Mail-Adresse",
  description: "Beschreibung",
  website: "Website",
  location: "Ort",
  visibility: "Sichtbarkeit",
  visibilities: { public: "Öffentlich", limited: "Begrenzt: nur angemeldete Benutzer", private: "Privat: nur Mitglieder" },
  teamAccess: "Repository-Administratoren können Teams Zugriff geben und entziehen",
  rename: "Organisation umbenennen",
  renameHint: "Der alte Name leitet hierher weiter, bis ein anderes Konto ihn verwendet.",
  newName: "Neuer Name",
  delete: "Diese Organisation löschen",
  deleteHint: "Löschen oder übertragen Sie zuerst alle Repositorys der Organisation.",
  confirm: (name) => `Geben Sie zur Bestätigung ${name} ein`,
};
