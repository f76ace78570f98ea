import type { english } from "./english.ts";

export const german: typeof english = {
  titles: {
    400: "Ungültige Anfrage",
    403: "Zugriff verweigert",
    404: "Nicht gefunden",
    405: "Methode nicht erlaubt",
    409: "Konflikt",
    412: "Vorbedingung nicht erfüllt",
    413: "Zu groß",
    422: "Ungültige Eingabe",
    423: "Gesperrt",
    429: "Zu viele Anfragen",
    503: "Dienst nicht verfügbar",
  },
  otherTitle: "Etwas ist schiefgegangen",
  advice: {
    404: "Die Seite wurde vielleicht verschoben oder gelöscht, oder Sie haben keinen Zugriff darauf. Prüfen Sie die Adresse auf Tippfehler.",
    409: "Der Inhalt wurde gleichzeitig geändert. Gehen Sie zurück, und laden Sie die Seite neu.",
    403: "Sie haben dafür keine Berechtigung. Bitten Sie den Besitzer oder einen Administrator um Zugriff.",
    422: "Gehen Sie zurück, und korrigieren Sie Ihre Eingabe.",
    423: "Heben Sie zuerst die Sperre oder die Archivierung auf, oder bitten Sie einen Administrator darum.",
    429: "Warten Sie einen Moment, und versuchen Sie es dann erneut.",
    503: "Versuchen Sie es in Kürze erneut.",
    500: "Auf dem Server ist ein Fehler aufgetreten. Versuchen Sie es erneut. Wenn das Problem bestehen bleibt, nennen Sie Ihrem Administrator die Anfrage-ID unten.",
  },
  newEmail: "Neue E-Mail über die Anmeldeseite anfordern",
  ownEmails: "E-Mail-Adressen Ihres Kontos",
  signIn: "Melden Sie sich an, um Seiten zu sehen, die ein Konto erfordern",
  broken:
    "Dieser Teil der Seite konnte nicht geladen werden. Laden Sie die Seite neu. Wenn das Problem bestehen bleibt, wenden Sie sich an Ihren Administrator.",
  loadAgain: "Seite neu laden",
  typed: "Ihr Text, den Sie kopieren können",
  requestId: "Anfrage-ID",
  toFrontPage: "Startseite",
  toExplore: "Repositorys entdecken",
};
