import type { english } from "./english.ts";

export const german: typeof english = {
  intro: "Laden Sie eine Kopie Ihrer Daten als Tar-Archiv herunter. Sie enthält:",
  contents: [
    "Ihr Profil, Ihre Einstellungen, E-Mail-Adressen, Organisationen, Repositorys mit Stern, beobachtete Repositorys und die Benutzer, denen Sie folgen",
    "Ihre SSH- und GPG-Schlüssel sowie Namen und Berechtigungen Ihrer Zugriffstoken",
    "die Issues, Pull-Requests, Kommentare und Reviews, die Sie in allen Repositorys geschrieben haben",
    "Ihre eigenen Repositorys mit allen Branches, Tags, Issues, Pull-Requests, Releases, Dateien und Wikis in einer Form, die ein anderer Server importieren kann",
  ],
  without: "Sie enthält keine Passwörter, Token oder anderen Geheimnisse. Repositorys von Organisationen gehören nicht dazu.",
  hint: "Sie erhalten einen Link, der 15 Minuten lang und für einen Download gilt, und nur solange Sie angemeldet sind. Der Download wird im Audit-Log vermerkt.",
  create: "Link erstellen",
  ready:
    "Der Link gilt 15 Minuten lang und für einen Download. Wird der Download unterbrochen, erstellen Sie einen neuen Link. Ein vollständiges Archiv endet mit der Datei hearth-account.json.",
  download: "Daten herunterladen",
};
