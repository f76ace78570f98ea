import type { english } from "./english.ts";

export const german: typeof english = {
  lead: "Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Link, mit dem Sie Ihr Konto erstellen.",
  send: "Registrierungs-E-Mail senden",
  already: "Sie haben schon ein Konto?",
  signIn: "Anmelden",
  closed: "Die Registrierung ist deaktiviert. Bitten Sie einen Administrator, ein Konto für Sie zu erstellen.",
  requested: "Wir haben eine E-Mail an ",
  askedRest: " gesendet. Öffnen Sie den Link darin, um fortzufahren.",
  confirmed: "Die Adresse ",
  confirmedRest: " ist bestätigt. Wählen Sie einen Benutzernamen.",
  name: "Benutzername",
  nameHint: "Der Name ist Teil der URLs Ihrer Repositorys.",
  password: "Passwort",
  retype: "Passwort bestätigen",
  make: "Konto erstellen",
};
