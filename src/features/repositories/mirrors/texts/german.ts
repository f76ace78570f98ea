import type { english } from "./english.ts";

export const german: typeof english = {
  pull: "Pull-Spiegel",
  source: "Spiegel von",
  interval: "Spiegelintervall",
  intervalHint: "Zum Beispiel 8h. 0 deaktiviert die regelmäßige Aktualisierung.",
  synced: "Zuletzt synchronisiert",
  sync: "Jetzt synchronisieren",
  syncing: "Die Synchronisierung ist eingeplant.",
  push: "Push-Spiegel",
  none: "Keine Push-Spiegel.",
  add: "Push-Spiegel hinzufügen",
  address: "Remote-URL",
  username: "Benutzername",
  password: "Passwort oder Token",
  onCommit: "Bei neuen Commits pushen",
  pushAll: "Jetzt pushen",
  pushed: "zuletzt gepusht",
  failed: "Letzter Fehler:",
  notAllowed: "Dieser Server darf nicht an diese Adresse pushen.",
};
