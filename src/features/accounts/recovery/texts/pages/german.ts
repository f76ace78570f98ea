import type { english } from "./english.ts";

export const german: typeof english = {
  recovery: {
    title: "Passwort vergessen",
    lead: "Geben Sie die E-Mail-Adresse Ihres Kontos ein. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort festlegen.",
    email: "E-Mail-Adresse",
    send: "E-Mail senden",
    askedTitle: "Prüfen Sie Ihren Posteingang",
    requested: "Wenn ",
    askedRest: " zu einem Konto gehört, haben wir eine E-Mail dorthin gesendet.",
    askedHint: "Das kann einige Minuten dauern. Prüfen Sie auch Ihren Spam-Ordner.",
    emailDisabled: "Dieser Server kann keine E-Mails senden. Bitten Sie einen Administrator um ein neues Passwort.",
  },
  address: {
    title: "E-Mail-Adresse bestätigen",
    says: " hat ",
    saysRest: " als eigene E-Mail-Adresse hinzugefügt. Sind Sie das?",
    confirm: "E-Mail-Adresse bestätigen",
    doneTitle: "E-Mail-Adresse bestätigt",
    isNow: " ist jetzt eine E-Mail-Adresse von ",
    isNowRest: ".",
  },
};
