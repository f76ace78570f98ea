import { sizeText } from "../../../../ui/texts/size.ts";
import type { english } from "./english.ts";

const failures: (typeof english)["failures"] = {
  blocked: "Dieser Server darf diese Adresse nicht aufrufen. Bitten Sie einen Administrator, den Host für Migrationen zu erlauben.",
  unknown_host: "Der Hostname wurde nicht gefunden. Prüfen Sie die Schreibweise der Adresse.",
  connection_refused: "Der Host hat die Verbindung abgelehnt. Prüfen Sie den Port in der Adresse, und ob der andere Server läuft.",
  certificate:
    "Das TLS-Zertifikat des anderen Servers ist ungültig oder nicht vertrauenswürdig. Prüfen Sie den Hostnamen in der Adresse, oder fragen Sie den Administrator jenes Servers.",
  unreachable: "Die Verbindung zum anderen Server ist fehlgeschlagen. Versuchen Sie es später erneut.",
  timeout: "Der andere Server hat nicht rechtzeitig geantwortet. Versuchen Sie es später erneut.",
  authentication:
    "Der andere Server hat die Anmeldung nicht akzeptiert. Prüfen Sie die Adresse, und geben Sie ein Zugriffstoken oder einen Benutzernamen mit Passwort ein, die das Repository lesen können. Viele Server antworten auch so, wenn es das Repository nicht gibt.",
  not_found: "Der andere Server hat unter dieser Adresse kein Repository. Prüfen Sie die Adresse. Ein privates Repository erfordert ein Zugriffstoken.",
  protocol: "Die Adresse antwortet nicht wie ein Git-Server. Geben Sie die Adresse ein, die Sie mit „git clone“ verwenden.",
  status: ({ status }) =>
    `Der andere Server hat mit einem Fehler geantwortet (Status ${status}). Versuchen Sie es später erneut, oder fragen Sie den Administrator jenes Servers.`,
  refused: "Der andere Server hat das Repository nicht gesendet. Die technischen Details enthalten seine Antwort.",
  contents:
    "Dieser Server kann den Inhalt des Repositorys nicht annehmen, zum Beispiel weil Objekte beschädigt sind oder fehlen. Reparieren Sie zuerst das Repository: „git fsck“ listet die Probleme auf.",
  too_large: ({ maxBytes }) =>
    `Das Repository ist größer als die Grenze von ${sizeText(maxBytes, "de")}. Verkleinern Sie es, oder bitten Sie einen Administrator, die Grenze zu erhöhen.`,
  owner_storage_limit: ({ maxBytes }) =>
    `Die Repositorys dieses Besitzers würden die Grenze von ${sizeText(maxBytes, "de")} überschreiten. Löschen Sie nicht mehr benötigte Daten, wählen Sie einen anderen Besitzer, oder bitten Sie einen Administrator, die Grenze zu erhöhen.`,
  repository_limit: ({ max }) =>
    `Der Besitzer hat die Grenze von ${max} Repositorys erreicht. Löschen Sie ein Repository, wählen Sie einen anderen Besitzer, oder bitten Sie einen Administrator, die Grenze zu erhöhen.`,
  repository_exists: "Inzwischen wurde ein Repository mit diesem Namen erstellt. Wählen Sie einen anderen Namen.",
  not_permitted:
    "Sie dürfen für diesen Besitzer keine Repositorys mehr erstellen. Wählen Sie einen anderen Besitzer, oder fragen Sie einen Besitzer der Organisation.",
  owner_not_found: "Der Besitzer wurde inzwischen gelöscht. Wählen Sie einen anderen Besitzer.",
  api: "Der andere Server stellt die Issues und weiteren Daten dieses Repositorys nicht in der erwarteten Weise bereit. Prüfen Sie die Art des Servers, und ob das Zugriffstoken das Repository lesen darf. Der Code allein lässt sich mit der Art „beliebiger Git-Server“ kopieren.",
  rate_limit:
    "Der andere Server begrenzt die Zahl der Anfragen, und die Begrenzung dauert zu lange. Starten Sie später erneut, mit einem Zugriffstoken oder mit weniger zu kopierenden Daten.",
  too_many_items: "Der andere Server hat mehr Issues und weitere Daten, als kopiert werden können. Wählen Sie weniger zu kopierende Daten.",
  credentials_unreadable:
    "Der Schlüssel dieses Servers hat sich geändert, sodass die gespeicherten Zugangsdaten nicht lesbar sind. Starten Sie erneut, und geben Sie sie ein.",
  server_stopped: "Dieser Server wurde bei jedem Versuch beendet. Starten Sie erneut. Wenn das wieder geschieht, wenden Sie sich an einen Administrator.",
  server_error:
    "Dieser Server konnte die Migration wegen eines internen Fehlers nicht abschließen. Versuchen Sie es später erneut. Wenn das wieder geschieht, wenden Sie sich an einen Administrator.",
};

export const german: typeof english = {
  title: "Repository migrieren",
  how: "Kopiert ein Repository von einem anderen Server, mit seinen Branches und Tags und auf Wunsch mit Issues und weiteren Daten.",
  address: "Klon-URL",
  addressHint: "Die HTTPS-Adresse eines Git-Repositorys, zum Beispiel https://example.org/owner/name.git.",
  service: "Server",
  services: { git: "Beliebiger Git-Server (nur Code)", gitea: "Gitea oder Forgejo", github: "GitHub", gitlab: "GitLab" },
  token: "Zugriffstoken",
  tokenHint: "Erforderlich für private Repositorys, und für Issues auf Servern, die anonyme Anfragen begrenzen. Wird nach der Migration gelöscht.",
  username: "Benutzername",
  password: "Passwort",
  signIn: "Benutzername und Passwort",
  owner: "Besitzer",
  name: "Name des Repositorys",
  description: "Beschreibung",
  private: "Privat",
  mirror: "Repository spiegeln",
  mirrorHint: "Das Repository folgt seiner Quelle und nimmt keine Pushes an. Issues und weitere Daten werden nicht kopiert.",
  items: "Zu kopierende Daten",
  itemsHint: "Issues, Pull-Requests und Releases erfordern einen anderen Server als „beliebiger Git-Server“.",
  wiki: "Wiki",
  lfs: "Git-LFS-Dateien",
  labels: "Labels",
  milestones: "Meilensteine",
  issues: "Issues",
  pullRequests: "Pull-Requests",
  releases: "Releases",
  submit: "Migration starten",
  list: "Ihre Migrationen",
  listHint: "Beendete Migrationen sind sieben Tage lang aufgeführt.",
  none: "Keine Migrationen",
  another: "Weiteres Repository migrieren",
  progressOf: (name) => `Migration von ${name}`,
  from: "von",
  states: { waiting: "Wartend", running: "Laufend", done: "Fertig", failed: "Fehlgeschlagen", cancelled: "Abgebrochen" },
  phases: {
    code: "Commits werden geholt",
    wiki: "Das Wiki wird geholt",
    tracker: "Issues, Pull-Requests und Releases werden geholt",
    "large files": "Git-LFS-Dateien werden geholt",
    writing: "Das Repository wird geschrieben",
  },
  received: (size) => `${size} empfangen`,
  resumes: "Der andere Server begrenzt die Zahl der Anfragen. Die Migration geht weiter",
  stays: "Die Seite wird alle paar Sekunden aktualisiert. Sie können sie verlassen: Die Migration läuft weiter.",
  cancel: "Migration abbrechen",
  cancelling: "Die Migration wurde abgebrochen, und ihre Daten werden verworfen.",
  open: "Repository öffnen",
  failure: "Die Migration ist fehlgeschlagen.",
  failureHint: "Prüfen Sie die Adresse, die Art des Servers und die Zugangsdaten, und starten Sie erneut.",
  failures,
  again: "Erneut starten",
};
