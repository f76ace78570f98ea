import type { errors as english } from "./english.ts";

export const errors: typeof english = {
  titles: {
    400: "Diese Adresse geht nicht",
    403: "Nicht erlaubt",
    404: "Nicht gefunden",
    413: "Zu groß",
    429: "Zu viele Versuche",
    503: "Gerade nicht",
  },
  otherTitle: "Etwas ist schiefgegangen",
  advice: {
    404: "Vielleicht ist es verschoben oder gelöscht, oder es ist nicht für Sie bestimmt. Auch ein Tippfehler in der Adresse ist möglich.",
    403: "Wenn Sie das dürfen sollten, bitten Sie den Besitzer darum.",
    429: "Warten Sie ein wenig, und versuchen Sie es dann wieder.",
    503: "Versuchen Sie es gleich noch einmal.",
    500: "Das ist ein Fehler des Servers. Versuchen Sie es noch einmal; wenn es so bleibt, nennen Sie Ihrem Administrator die Nummer unten.",
  },
  requestId: "Nummer dieser Anfrage",
  toFrontPage: "Zur Startseite",
  toExplore: "Ein Repository suchen",
};
