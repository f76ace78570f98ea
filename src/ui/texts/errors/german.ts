import type { errors as english } from "./english.ts";

export const errors: typeof english = {
  titles: {
    400: "Diese Adresse geht nicht",
    403: "Nicht erlaubt",
    404: "Nicht gefunden",
    405: "Nicht möglich",
    409: "Inzwischen geändert",
    412: "So, wie es jetzt ist, nicht möglich",
    413: "Zu groß",
    422: "Das geht so nicht",
    423: "Gesperrt",
    429: "Zu viele Versuche",
    503: "Gerade nicht",
  },
  otherTitle: "Etwas ist schiefgegangen",
  advice: {
    404: "Vielleicht ist es verschoben oder gelöscht, oder es ist nicht für Sie bestimmt. Auch ein Tippfehler in der Adresse ist möglich.",
    409: "Gehen Sie zurück, und laden Sie die Seite neu: Jemand war schneller.",
    403: "Wenn Sie das dürfen sollten, bitten Sie den Besitzer darum.",
    422: "Gehen Sie zurück: Was Sie geschrieben haben, steht noch da.",
    423: "Wer es gesperrt hat, kann es wieder öffnen.",
    429: "Warten Sie ein wenig, und versuchen Sie es dann wieder.",
    503: "Versuchen Sie es gleich noch einmal.",
    500: "Das ist ein Fehler des Servers. Versuchen Sie es noch einmal; wenn es so bleibt, nennen Sie Ihrem Administrator die Nummer unten.",
  },
  signIn: "Melden Sie sich an, wenn es für Angemeldete ist",
  broken:
    "Dieser Teil der Seite konnte nicht gelesen werden: das ist ein Fehler des Servers. Laden Sie sie noch einmal; wenn es so bleibt, sagen Sie Ihrem Administrator, wann es geschehen ist.",
  loadAgain: "Die Seite noch einmal laden",
  requestId: "Nummer dieser Anfrage",
  toFrontPage: "Zur Startseite",
  toExplore: "Ein Repository suchen",
};
