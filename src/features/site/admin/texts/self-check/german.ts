import type { english } from "./english.ts";

export const german: typeof english = {
  intro:
    "Prüfungen der Umgebung und der Konfiguration, ausgeführt beim Laden der Seite. `hearth doctor` liest zusätzlich alle Zeilen, Git-Objekte und hochgeladenen Dateien.",
  states: { good: "OK", hint: "Hinweis", bad: "Problem" },
  count: (problems) => (problems === 0 ? "Keine Probleme gefunden." : problems === 1 ? "1 Problem gefunden." : `${problems} Probleme gefunden.`),
  parts: {
    address: "Adresse",
    git: "git",
    permissions: "Datenordner",
    database: "Datenbank",
    clock: "Uhr des Datenbankservers",
    checksums: "Datenprüfsummen",
    backups: "Backups",
    log: "Log im Bucket",
    mail: "E-Mail",
    ssh: "SSH",
    trial: "Erprobung nach einem Import",
    stores: "Git-Objekte",
    jobs: "Hintergrundjobs",
  },
  findings: {
    address_good: (origin) => `Links beginnen mit ${origin}, wie in dieser Anfrage.`,
    address_unset: (origin) => `server.root_url ist nicht gesetzt, daher beginnen Links mit ${origin}. Setzen Sie es auf die Adresse, die Benutzer eingeben.`,
    address_differs: (origins) =>
      `Links beginnen nicht mit der Adresse dieser Anfrage: ${origins}. Setzen Sie server.root_url, oder verwenden Sie dessen Adresse.`,
    git_good: (version) => `Version ${version}.`,
    git_outdated: (version) =>
      `Version ${version} hat bekannte Sicherheitslücken, falls Ihre Distribution sie nicht geschlossen hat. Aktualisieren Sie auf 2.50.1 oder auf die neueste Version der Reihe.`,
    permissions_good: () => "Andere Benutzer des Rechners haben keine Rechte daran.",
    permissions_open: (paths) => `Andere Benutzer des Rechners haben möglicherweise Zugriff auf ${paths}. Führen Sie dafür als Eigentümer \`chmod go=\` aus.`,
    database_good: (version) => version,
    clock_good: () => "Weicht um weniger als eine Sekunde ab.",
    clock_differs: (seconds) => `Weicht um ${seconds} s von der Uhr dieses Servers ab. Synchronisieren Sie beide, zum Beispiel mit chrony.`,
    checksums_good: () => "PostgreSQL bemerkt Zeilen, die sich auf dem Datenträger verändert haben.",
    checksums_off: () =>
      "PostgreSQL bemerkt Zeilen nicht, die sich auf dem Datenträger verändert haben. Stoppen Sie es, führen Sie `pg_checksums --enable --pgdata ORDNER` aus, und starten Sie es wieder.",
    backups_good: () => "Das neueste Backup ist so aktuell wie konfiguriert.",
    backups_unset: () => "Es ist kein Ort für Backups konfiguriert. Setzen Sie backup.url und backup.schedule, oder backup.folder.",
    backups_none: () => "Am konfigurierten Ort gibt es kein vollständiges Backup.",
    backups_old: () => "Das neueste Backup ist älter als backup.max_age_hours.",
    backups_failed: () => "Das letzte geplante Backup ist fehlgeschlagen. Die Übersicht nennt den Grund.",
    log_good: () => "Alle Änderungen sind im Bucket oder werden es innerhalb einer Minute sein.",
    log_behind: () => "Die letzten Änderungen sind nicht im Bucket. Die Übersicht nennt den Grund.",
    mail_good: (host) => `Versand über ${host}. Fehlgeschlagene Versuche stehen unter den Jobs.`,
    mail_unset: () =>
      "Es werden keine E-Mails gesendet, daher können Benutzer Passwörter nicht zurücksetzen und Adressen nicht bestätigen. Setzen Sie mail.host.",
    ssh_good: (place) => `Nimmt Verbindungen an ${place} an.`,
    ssh_off: () => "Deaktiviert.",
    ssh_failed: (place) => `Der Port ist belegt, daher wird SSH nicht angeboten: ${place}. Setzen Sie ssh.port auf einen freien Port.`,
    trial_on: () => "Spiegel und geplante Workflows warten auf `hearth admin end-trial`.",
    stores_good: () => "Die letzte Prüfung jedes Repositorys hat kein Problem gefunden.",
    stores_problems: (count) => `Beschädigte oder fehlende Objekte: ${count}. Die Übersicht listet sie auf.`,
    jobs_good: () => "Kein Job ist endgültig fehlgeschlagen.",
    jobs_failed: (count) => `Endgültig fehlgeschlagene Jobs: ${count}. Die Seite der Jobs listet sie auf.`,
  },
};
