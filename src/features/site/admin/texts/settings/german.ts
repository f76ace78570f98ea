import type { english } from "./english.ts";

export const german: typeof english = {
  server: {
    host: "Adresse, an der der Server Verbindungen annimmt. 0.0.0.0 oder :: nehmen auch Verbindungen von anderen Rechnern an.",
    port: "Port des Servers; 0 wählt einen freien.",
    data: "Ordner für Repositorys, die eingebettete Datenbank und Caches. Wird angelegt, wenn er fehlt.",
    root_url: "Öffentliche URL des Servers, zum Beispiel https://git.example.org. Alle Links beginnen mit ihr. Leer: aus Host und Port.",
    tls_cert:
      "Pfad einer PEM-Datei mit dem Zertifikat, gefolgt von seinen Zwischenzertifikaten, um https ohne Proxy anzubieten. Wird bei SIGHUP neu geladen. Leer: http.",
    tls_key: "Pfad der PEM-Datei mit dem privaten Schlüssel zu tls_cert.",
    sign_in_required: "Für jede Seite und jede API-Anfrage eine Anmeldung verlangen.",
    secret_key:
      "Schlüssel, der Geheimnisse in der Datenbank verschlüsselt: 64 Hexadezimalziffern, gleich auf allen Servern einer Datenbank. Leer: ein Schlüssel, der beim ersten Start im Datenordner erzeugt wird.",
    drain_seconds:
      "Sekunden zwischen einem Stoppsignal und dem Ende neuer Verbindungen. Währenddessen antwortet /api/readyz mit 503, damit ein Lastverteiler andere Server wählen kann.",
    stop_seconds: "Höchstzahl der Sekunden, die das Stoppen auf laufende Anfragen wartet, zum Beispiel auf große Klone.",
    trusted_proxies: "Adressen von Reverse-Proxys, deren X-Forwarded-For-Header vertraut wird.",
  },
  ssh: {
    enabled: "Git über SSH anbieten.",
    host: "Adresse für SSH-Verbindungen. Leer: wie server.host.",
    port: "Port für SSH-Verbindungen; 0 wählt einen freien. Ist der voreingestellte Port belegt, startet der Server ohne SSH.",
    domain: "Hostname in den SSH-URLs von Repositorys. Leer: der Hostname der öffentlichen URL.",
    public_port:
      "Port in den SSH-URLs von Repositorys, falls ein anderer Port an diesen Server weitergeleitet wird. 0: der Port, an dem er Verbindungen annimmt.",
    max_connections: "Höchstzahl gleichzeitiger SSH-Verbindungen.",
    max_connections_per_network: "Höchstzahl gleichzeitiger SSH-Verbindungen von einer IPv4-Adresse oder einem IPv6-Netz (/64).",
    trusted_user_ca_keys: "Öffentliche Schlüssel der Stellen, deren SSH-Zertifikate Benutzer anmelden, als Zeilen von .pub-Dateien. Leer: keine Zertifikate.",
    certificate_principals:
      "Principals, die Benutzer für ihre Zertifikate hinzufügen können: username (Benutzername), email (ihre bestätigten Adressen) oder anything (beliebige), wenn alle Benutzer einander vertrauen.",
  },
  sign_in: {
    failures: "Fehlgeschlagene Versuche (falsche Passwörter oder Codes) für einen Namen aus einem Netz, bis der nächste Versuch warten muss.",
    failures_per_network: "Fehlgeschlagene Versuche für alle Namen aus einem Netz, aus dem sie sich noch nie angemeldet haben.",
    failures_per_name: "Fehlgeschlagene Versuche für einen Namen aus allen Netzen, aus denen sich sein Konto noch nie angemeldet hat.",
    forget_seconds: "Sekunden, nach denen ein fehlgeschlagener Versuch nicht mehr zählt.",
  },
  registration: {
    enabled:
      "Besucher können ein Konto registrieren, indem sie eine E-Mail-Adresse bestätigen. Benötigt mail.host. Deaktiviert: Administratoren legen Konten an.",
    email_domains: "E-Mail-Domains, mit denen eine Registrierung möglich ist, zum Beispiel example.org. Leer: alle.",
  },
  proxy_sign_in: {
    enabled: "Benutzer melden sich am Reverse-Proxy an, der ihren Namen in einem Header übergibt. Nur den Proxys in server.trusted_proxies wird vertraut.",
    user_header: "Header mit dem Kontonamen. Der Proxy muss ihn aus Anfragen von Clients entfernen.",
    email_header: "Header mit der E-Mail-Adresse, für neue Konten.",
    full_name_header: "Header mit dem vollständigen Namen, für neue Konten.",
    auto_register: "Für Benutzer ohne Konto eines anlegen.",
  },
  mail: {
    host: "SMTP-Server für ausgehende E-Mails: Benachrichtigungen, neue Passwörter und Bestätigungen von Adressen. Leer: Es werden keine E-Mails gesendet.",
    port: "Port des SMTP-Servers: 465 für tls, 587 für starttls, 25 für none.",
    security: "Verschlüsselung: tls vom ersten Byte an, starttls oder none.",
    user: "Benutzername für die SMTP-Anmeldung. Leer: keine Anmeldung.",
    password: "Passwort für die SMTP-Anmeldung.",
    from: "Absenderadresse von E-Mails, zum Beispiel hearth@git.example.org.",
  },
  signing: {
    enabled: "Commits und Tags, die der Server erstellt, mit seinem eigenen SSH-Schlüssel signieren.",
  },
  database: {
    url: "postgres://user:password@host/name für PostgreSQL. Mehrere durch Kommas getrennte Hosts sind ein Primärserver und seine Standbys. ?sslmode=verify-full verschlüsselt. Leer: eine eingebettete SQLite-Datenbank im Datenordner.",
    pool_size: "Höchstzahl der Verbindungen dieses Servers zu PostgreSQL, neben einer, die den anderen Servern zeigt, dass er läuft.",
    connect_timeout_seconds: "Sekunden, die eine Anfrage auf eine Verbindung zu PostgreSQL wartet, bis sie mit Status 503 fehlschlägt.",
    statement_timeout_seconds: "Sekunden, nach denen PostgreSQL eine Anweisung abbricht. Schemaänderungen sind nicht begrenzt.",
    durability:
      "Wie die eingebettete Datenbank Änderungen dauerhaft macht. group: Gleichzeitige Änderungen teilen sich eine Synchronisierung des Logs. full: SQLite synchronisiert jede Änderung einzeln (synchronous = FULL). Das ist langsamer, und Hearth verändert das Log nie.",
  },
  admin: {
    username: "Name des ersten Administrators, der angelegt wird, wenn der Server keine Benutzer hat. Leer: legt `root` an und gibt das Passwort einmal aus.",
    email: "E-Mail-Adresse des ersten Administrators.",
    password: "Passwort des ersten Administrators.",
    token: "Zugriffstoken des ersten Administrators mit allen Berechtigungen: 40 Hexadezimalziffern.",
  },
  sessions: {
    idle_days: "Tage ohne Aktivität, nach denen ein Browser abgemeldet wird.",
    max_days: "Tage, nach denen sich ein Browser neu anmelden muss, auch wenn er aktiv ist.",
  },
  oauth2: {
    access_token_seconds: "Sekunden, die ein OAuth2-Zugriffstoken gültig ist.",
    refresh_token_hours: "Stunden ohne Aktivität, nach denen eine OAuth2-Anwendung neu autorisiert werden muss.",
  },
  repositories: {
    default_branch: "Standardbranch neuer Repositorys.",
    max_per_user: "Höchstzahl der Repositorys pro Benutzer; -1 für unbegrenzt.",
    keep_deleted_days: "Tage, die die Objekte eines gelöschten Repositorys auf dem Datenträger bleiben.",
    max_file_bytes: "Maximale Größe einer Datei, die die API für Dateien annimmt, in Byte.",
    max_blob_bytes: "Maximale Größe einer Datei in einer JSON-Antwort, in Byte.",
  },
  git: {
    binary: "Das Programm git, Version 2.39 oder neuer.",
    max_reads: "Höchstzahl der git-Prozesse für Lesezugriffe (Verlauf nach Pfad, Archive, Vergleiche); 0: nach der Anzahl der Kerne.",
    max_transfers: "Höchstzahl der git-Prozesse für Fetches und Pushes; 0: nach der Anzahl der Kerne.",
    max_wait_ms: "Millisekunden, die eine Anfrage auf einen git-Prozess wartet, bis sie mit Status 503 fehlschlägt.",
    max_push_bytes: "Maximale Größe eines gepushten Packs in Byte.",
    max_refs_per_push: "Höchstzahl der Refs, die ein Push aktualisiert.",
    pack_cache_bytes: "Maximaler Speicherplatz des Caches für Antworten auf Klone und für Archive, in Byte.",
  },
  attachments: {
    max_bytes: "Maximale Größe eines Anhangs von Issues oder Kommentaren in Byte.",
    release_max_bytes: "Maximale Größe eines Anhangs von Releases in Byte.",
    allowed_endings: "Erlaubte Dateiendungen für Anhänge von Issues und Kommentaren; * erlaubt alle.",
  },
  storage: {
    url: "Speicher für hochgeladene Dateien (Anhänge, Avatare, LFS-Objekte): leer für den Datenordner oder s3://host/bucket/prefix?region=eu-central-1 für einen S3-kompatiblen Dienst; s3+http:// für einen ohne TLS.",
    cache_bytes:
      "Maximaler Speicherplatz für die Kopien der Repositorys auf diesem Server, in Byte, wenn mehrere Server sie über einen Bucket teilen. Verwendete Kopien bleiben erhalten.",
    access_key: "Zugriffsschlüssel-ID für den S3-kompatiblen Dienst.",
    secret_key: "Das Geheimnis des Schlüssels.",
  },
  backup: {
    folder: "Ordner mit den Backups, für die Administrationsseite, Metriken und Warnungen vor alten Backups. Leer: keine Warnungen.",
    max_age_hours: "Alter des neuesten Backups in Stunden, ab dem der Server warnt.",
    url: "Ort der geplanten Backups: s3://host/bucket/prefix?region=eu-central-1 für einen Bucket oder file:///folder.",
    schedule: "Wann der Server ein Backup zu backup.url hinzufügt: eine Uhrzeit in UTC wie 03:00 oder hourly für jede Stunde. Leer: nie.",
    keep_daily: "Tage, deren neuestes Backup nach einem geplanten Backup erhalten bleibt.",
    keep_weekly: "Wochen, deren neuestes Backup erhalten bleibt.",
    keep_monthly: "Monate, deren neuestes Backup erhalten bleibt. Mit 0 für Tage, Wochen und Monate wird kein Backup gelöscht.",
    verify: "Jedes geplante Backup in einem temporären Ordner wiederherstellen und prüfen.",
    identity_file: "Datei mit der age-Identität für backup.verify, falls Backups verschlüsselt sind.",
    access_key: "Zugriffsschlüssel-ID für den Bucket der Backups. Leer: die von storage.access_key.",
    secret_key: "Das Geheimnis des Schlüssels. Leer: das von storage.secret_key.",
    recipients:
      "Öffentliche age-Schlüssel (age1...), für die Backups in einem Bucket oder unter einer file://-Adresse verschlüsselt werden. Leer: nicht verschlüsselt.",
  },
  log_shipping: {
    url: "Bucket, in den jede Änderung der eingebetteten Datenbank innerhalb einer Sekunde kopiert wird, mit den Repositorys und hochgeladenen Dateien, die sie benötigt: s3://host/bucket/prefix?region=eu-central-1. `hearth restore --at` stellt daraus den Stand eines beliebigen Zeitpunkts wieder her. Leer: deaktiviert.",
    access_key: "Zugriffsschlüssel-ID für den Bucket. Leer: storage.access_key.",
    secret_key: "Das Geheimnis des Schlüssels. Leer: storage.secret_key.",
    days: "Tage, deren Stände wiederhergestellt werden können.",
    max_waiting_bytes:
      "Maximale Größe des Logs der Datenbank in Byte, solange der Bucket es nicht annimmt. Darüber wird die ganze Datenbank neu kopiert, sobald der Bucket antwortet, und die Stände dazwischen können nicht wiederhergestellt werden.",
  },
  lfs: {
    enabled: "Git LFS aktivieren.",
    max_object_bytes: "Maximale Größe eines Git-LFS-Objekts in Byte.",
  },
  actions: {
    in_new_repositories: "Actions in neuen Repositorys aktivieren, außer in Forks. Andernfalls aktiviert jedes Repository sie in seinen Einstellungen.",
    token_permissions: "Berechtigungen des Tokens eines Jobs, der keine angibt: read für Lesen oder write für Schreiben. Code eines Forks kann nur lesen.",
    artifact_max_bytes: "Maximale Größe eines Artefakts eines Jobs in Byte.",
    artifact_days: "Tage, die Artefakte von Jobs aufbewahrt werden. Ein Workflow kann weniger wählen.",
    cache_bytes: "Maximale Größe aller Caches eines Repositorys in Byte. Für neue werden die am längsten nicht verwendeten gelöscht.",
    cache_days: "Tage nach der letzten Verwendung, bis ein Cache gelöscht wird.",
    log_days: "Tage, die Protokolle und Zusammenfassungen von Jobs aufbewahrt werden.",
  },
  webhook: {
    allowed_hosts:
      "Hosts, die Webhooks aufrufen dürfen: Hostnamen (mit *), Adressen, Netze wie 10.0.0.0/8, external (öffentliche Adressen), private, loopback oder * für alle.",
    timeout_seconds: "Zeitlimit einer Webhook-Anfrage in Sekunden.",
    keep_days: "Tage, die Webhook-Zustellungen zum Ansehen und erneuten Zustellen aufbewahrt werden.",
  },
  migration: {
    allowed_hosts: "Hosts, von denen Repositorys geholt und auf die sie gespiegelt werden dürfen, im Format der Webhook-Hosts.",
  },
  images: {
    enabled: "Bilder anderer Hosts in Texten anzeigen, geladen von diesem Server. Andernfalls zeigen Seiten ihren Alternativtext.",
    allowed_hosts: "Hosts, von denen Bilder geladen werden, im Format der Webhook-Hosts.",
  },
  mirror: {
    default_interval_seconds: "Standardintervall der Synchronisierung von Spiegeln in Sekunden.",
    min_interval_seconds: "Kleinstes Intervall der Synchronisierung von Spiegeln in Sekunden.",
  },
  limits: {
    page_default: "Standardanzahl der Einträge einer Seite von Listen.",
    page_max: "Höchstzahl der Einträge einer Seite von Listen.",
    owner_bytes: "Maximaler Speicherplatz für die Repositorys und Dateien eines Benutzers oder einer Organisation in Byte; 0: unbegrenzt.",
    anonymous_places:
      "Höchstzahl der aufwendigen Seiten, und der Packs und Archive, die gleichzeitig für nicht angemeldete Aufrufer erstellt werden; 0: die Hälfte der Anzahl der Kerne.",
    anonymous_budget_seconds:
      "Zeit, die die aufwendigen Anfragen eines Netzes ohne Anmeldedaten innerhalb von zehn Minuten beanspruchen dürfen: Seiten, Packs und Archive; 0: unbegrenzt.",
    account_budget_seconds: "Dasselbe für ein Konto mit allen seinen Anmeldedaten; 0: unbegrenzt.",
    json_bytes: "Maximale Größe des JSON-Textes einer Anfrage in Byte, ohne Dateiinhalte.",
  },
  metrics: {
    enabled: "/metrics im Format von Prometheus anbieten.",
    token: "Bearer-Token, das für /metrics verlangt wird. Leer: keines.",
  },
  log: {
    level: "debug, info, warn, error oder silent.",
  },
};
