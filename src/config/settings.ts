import { parseHostRules } from "../core/host-rules.ts";
import { isValidEmail } from "../core/names.ts";
import { createPeerCheck } from "../core/peer-check.ts";
import { isPostgresUrl, parsePostgresUrl } from "./postgres-url.ts";
import { parseStorageUrl } from "./storage-url.ts";

/**
 * A setting: its section and name, description, default and validation. The commented default file and docs are generated from this table.
 */
export interface Setting<T> {
  /** The key in the file is `section.name`; the environment variable is derived from it unless `env` overrides it. */
  readonly kind: "text" | "integer" | "boolean" | "list";
  readonly fallback: T;
  readonly comment: string;
  readonly env?: string;
  /** @returns the validation error, or undefined */
  readonly check?: (value: T) => string | undefined;
  /** Never printed. */
  readonly isSecret?: boolean;
}

type Options<T> = Pick<Setting<T>, "env" | "check" | "isSecret">;

const text = (fallback: string, comment: string, options: Options<string> = {}): Setting<string> => ({ kind: "text", fallback, comment, ...options });
const integer = (fallback: number, comment: string, options: Options<number> = {}): Setting<number> => ({ kind: "integer", fallback, comment, ...options });
const bool = (fallback: boolean, comment: string, options: Options<boolean> = {}): Setting<boolean> => ({ kind: "boolean", fallback, comment, ...options });
const list = (fallback: readonly string[], comment: string, options: Options<readonly string[]> = {}): Setting<readonly string[]> => ({
  kind: "list",
  fallback,
  comment,
  ...options,
});

const between = (least: number, most: number) => (value: number) => (value < least || value > most ? `must be between ${least} and ${most}` : undefined);
const oneOf =
  (...values: readonly string[]) =>
  (value: string) =>
    values.includes(value) ? undefined : `must be one of ${values.join(", ")}`;

const areNetworks = (values: readonly string[]): string | undefined => {
  try {
    createPeerCheck(values);
  } catch {
    return "must list addresses, networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal";
  }
  return undefined;
};

const isRootUrl = (value: string): string | undefined => {
  if (value === "") return undefined;
  if (!URL.canParse(value) || !/^https?:\/\//.test(value)) return "must be an http or https URL";
  const { search, hash, username, pathname } = new URL(value);
  if (search !== "" || hash !== "" || username !== "") return "must not contain a query, fragment or user name";
  return pathname === "/" ? undefined : "must not contain a path: Hearth is served from the root of a host name";
};

const areHostRules = (value: readonly string[]): string | undefined =>
  parseHostRules(value) === undefined ? "must list host names (with *), addresses, networks such as 10.0.0.0/8, or external, private, loopback, *" : undefined;

const isDatabaseUrl = (value: string): string | undefined => {
  try {
    if (isPostgresUrl(value)) parsePostgresUrl(value);
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
};

/** Every setting of the server, by section. */
export const settings = {
  server: {
    host: text("127.0.0.1", "Address to listen on. 0.0.0.0 or :: accept connections from other machines too.", { env: "HEARTH_HOST" }),
    port: integer(3000, "Port to listen on; 0 picks a free one.", { env: "HEARTH_PORT", check: between(0, 65_535) }),
    data: text("./data", "Folder for repositories, the embedded database and caches. Created if missing.", { env: "HEARTH_DATA" }),
    root_url: text("", "Public URL of the server, such as https://git.example.org. All links are built from it. Empty: from host and port.", {
      env: "HEARTH_ROOT_URL",
      check: isRootUrl,
    }),
    tls_cert: text(
      "",
      "Path of a PEM file with the certificate, followed by its intermediate certificates, to serve https without a proxy. Reloaded on SIGHUP. Empty: http.",
      { env: "HEARTH_TLS_CERT" },
    ),
    tls_key: text("", "Path of the PEM file with the private key of tls_cert.", { env: "HEARTH_TLS_KEY" }),
    sign_in_required: bool(false, "Require sign-in for every page and API request."),
    secret_key: text(
      "",
      "Key that encrypts secrets in the database: 64 hex digits, the same on all servers of one database. Empty: a key generated in the data folder at the first start.",
      {
        env: "HEARTH_SECRET_KEY",
        isSecret: true,
        check: (value) => (value === "" || /^[0-9a-f]{64}$/.test(value) ? undefined : "must be 64 lower-case hex digits"),
      },
    ),
    drain_seconds: integer(
      0,
      "Seconds between a stop signal and the end of new connections. Meanwhile /api/readyz answers 503, so that a load balancer can choose other servers.",
      { env: "HEARTH_DRAIN_SECONDS", check: between(0, 3_600) },
    ),
    stop_seconds: integer(15, "Maximum number of seconds that a stop waits for requests in progress, such as large clones.", {
      env: "HEARTH_STOP_SECONDS",
      check: between(1, 86_400),
    }),
    trusted_proxies: list([], "Addresses of reverse proxies whose X-Forwarded-For header is trusted.", { check: areNetworks }),
  },
  ssh: {
    enabled: bool(true, "Serve git over SSH."),
    host: text("", "Address to listen on for SSH. Empty: same as server.host."),
    port: integer(2222, "Port to listen on for SSH; 0 picks a free one. If the default port is in use, the server starts without SSH.", {
      check: between(0, 65_535),
    }),
    domain: text("", "Host name in the SSH URLs of repositories. Empty: the host name of the root URL."),
    public_port: integer(0, "Port in the SSH URLs of repositories, if another port is forwarded to this server. 0: the port that it listens on.", {
      check: between(0, 65_535),
    }),
    max_connections: integer(500, "Maximum number of concurrent SSH connections.", { check: between(1, 100_000) }),
    max_connections_per_network: integer(100, "Maximum number of concurrent SSH connections from one IPv4 address or one IPv6 network (/64).", {
      check: between(1, 100_000),
    }),
    trusted_user_ca_keys: list([], "Public keys of the authorities whose SSH certificates sign users in, as lines of .pub files. Empty: no certificates.", {
      check: (keys) =>
        keys.every((key) => /^\S+ [A-Za-z0-9+/]{40,}={0,2}( .*)?$/.test(key)) ? undefined : "must list public keys such as ssh-ed25519 AAAA...",
    }),
    certificate_principals: list(
      ["username", "email"],
      "Principals that users may claim for their certificates: username, email (their verified addresses), or anything, if all users trust each other.",
      {
        check: (names) => (names.every((name) => ["username", "email", "anything"].includes(name)) ? undefined : "must list some of username, email, anything"),
      },
    ),
  },
  sign_in: {
    failures: integer(10, "Failed attempts (wrong passwords or codes) for one name from one network before the next attempt has to wait.", {
      check: between(1, 10_000),
    }),
    failures_per_network: integer(50, "Failed attempts for all names from one network from which they have never signed in.", { check: between(1, 100_000) }),
    failures_per_name: integer(50, "Failed attempts for one name from all networks from which its account has never signed in.", {
      check: between(1, 100_000),
    }),
    forget_seconds: integer(60, "Seconds until one failed attempt is forgotten.", { check: between(1, 86_400) }),
  },
  registration: {
    enabled: bool(false, "Let visitors register an account by confirming an email address. Requires mail.host. Off: administrators create accounts."),
    email_domains: list([], "Email domains allowed to register, such as example.org. Empty: all."),
  },
  proxy_sign_in: {
    enabled: bool(false, "Users sign in at the reverse proxy, which passes their name in a header. Only proxies in server.trusted_proxies are trusted."),
    user_header: text("X-WEBAUTH-USER", "Header with the account name. The proxy must remove it from client requests."),
    email_header: text("X-WEBAUTH-EMAIL", "Header with the email address, for new accounts."),
    full_name_header: text("X-WEBAUTH-FULLNAME", "Header with the full name, for new accounts."),
    auto_register: bool(false, "Create an account for users who have none."),
  },
  mail: {
    host: text("", "SMTP server for outgoing email: notifications, password resets and address confirmations. Empty: no email is sent."),
    port: integer(465, "Port of the SMTP server: 465 for tls, 587 for starttls, 25 for none.", { check: between(1, 65_535) }),
    security: text("tls", "Encryption: tls from the first byte, starttls, or none.", { check: oneOf("tls", "starttls", "none") }),
    user: text("", "User name for SMTP authentication. Empty: no authentication."),
    password: text("", "Password for SMTP authentication.", { isSecret: true }),
    from: text("hearth@localhost", "Sender address of emails, such as hearth@git.example.org.", {
      check: (value) => (isValidEmail(value) ? undefined : "must be an email address"),
    }),
  },
  signing: {
    enabled: bool(false, "Sign commits and tags created by the server with its own SSH key."),
  },
  database: {
    url: text(
      "",
      "postgres://user:password@host/name for PostgreSQL. Several hosts, separated by commas, are a primary and its standbys. ?sslmode=verify-full encrypts. Empty: an embedded SQLite database in the data folder.",
      { env: "HEARTH_DATABASE_URL", isSecret: true, check: isDatabaseUrl },
    ),
    pool_size: integer(10, "Maximum number of connections to PostgreSQL of this server, besides one that shows the other servers that it runs.", {
      check: between(2, 1_000),
    }),
    connect_timeout_seconds: integer(5, "Seconds that a request waits for a connection to PostgreSQL before it fails with status 503.", {
      check: between(1, 60),
    }),
    statement_timeout_seconds: integer(20, "Seconds after which PostgreSQL cancels a statement. Schema changes have no limit.", { check: between(1, 600) }),
    durability: text(
      "group",
      "How the embedded database makes changes durable. group: concurrent changes share one sync of its log. full: SQLite syncs each change by itself (synchronous = FULL), which is slower, and Hearth never touches the log.",
      { check: oneOf("group", "full") },
    ),
  },
  admin: {
    username: text("", "Name of the first administrator, created if the server has no users. Empty: creates `root` and prints its password once.", {
      env: "HEARTH_ADMIN_USERNAME",
    }),
    email: text("", "Email address of the first administrator.", { env: "HEARTH_ADMIN_EMAIL" }),
    password: text("", "Password of the first administrator.", { env: "HEARTH_ADMIN_PASSWORD", isSecret: true }),
    token: text("", "Access token of the first administrator, with all scopes: 40 hex digits.", {
      env: "HEARTH_ADMIN_TOKEN",
      isSecret: true,
      check: (value) => (value === "" || /^[0-9a-f]{40}$/.test(value) ? undefined : "must be 40 lower-case hex digits"),
    }),
  },
  sessions: {
    idle_days: integer(14, "Days of inactivity after which a browser is signed out.", { check: between(1, 3_650) }),
    max_days: integer(90, "Days after which a browser has to sign in again, even if it is active.", { check: between(1, 3_650) }),
  },
  oauth2: {
    access_token_seconds: integer(3_600, "Lifetime of an OAuth2 access token in seconds.", { check: between(60, 86_400) }),
    refresh_token_hours: integer(730, "Hours of inactivity after which an OAuth2 application has to be authorized again.", { check: between(1, 87_600) }),
  },
  repositories: {
    default_branch: text("main", "Default branch of new repositories."),
    max_per_user: integer(-1, "Maximum number of repositories per user; -1 for no limit.", { check: between(-1, 1_000_000_000) }),
    keep_deleted_days: integer(7, "Days that the objects of a deleted repository are kept on disk.", { check: between(0, 36_500) }),
    max_file_bytes: integer(50_000_000, "Maximum size of a file accepted by the contents API.", { check: between(1, 2_000_000_000) }),
    max_blob_bytes: integer(10_485_760, "Maximum size of a file included in a JSON response.", { check: between(1, 500_000_000) }),
  },
  git: {
    binary: text("git", "The git executable, version 2.39 or later."),
    max_reads: integer(0, "Maximum number of git processes for reads (history by path, archives, comparisons); 0: by the number of cores.", {
      check: between(0, 1_000),
    }),
    max_transfers: integer(0, "Maximum number of git processes for fetches and pushes; 0: by the number of cores.", { check: between(0, 1_000) }),
    max_wait_ms: integer(15_000, "Milliseconds that a request waits for a git process before it fails with status 503.", { check: between(0, 600_000) }),
    max_push_bytes: integer(4_000_000_000, "Maximum size of a pushed pack.", { check: between(1, 1_000_000_000_000) }),
    max_refs_per_push: integer(20_000, "Maximum number of refs updated by one push.", { check: between(1, 1_000_000) }),
    pack_cache_bytes: integer(2_000_000_000, "Maximum disk space of the cache for clone responses and archives.", { check: between(0, 1_000_000_000_000) }),
  },
  attachments: {
    max_bytes: integer(104_857_600, "Maximum size of an attachment of an issue or comment.", { check: between(1, 10_000_000_000) }),
    release_max_bytes: integer(2_147_483_648, "Maximum size of a release attachment.", { check: between(1, 1_000_000_000_000) }),
    allowed_endings: list(
      ".avif .cpuprofile .csv .dmp .docx .fodg .fodp .fods .fodt .gif .gz .jpeg .jpg .json .jsonc .log .md .mov .mp4 .odf .odg .odp .ods .odt .patch .pdf .png .pptx .svg .tgz .txt .webm .webp .xls .xlsx .zip".split(
        " ",
      ),
      "File extensions allowed for attachments of issues and comments; * allows all.",
    ),
  },
  storage: {
    url: text(
      "",
      "Storage of uploaded files (attachments, avatars, LFS objects): empty for the data folder, or s3://host/bucket/prefix?region=eu-central-1 for an S3-compatible service; s3+http:// for one without TLS.",
      {
        check: (value) => (value === "" || parseStorageUrl(value) !== undefined ? undefined : "must have the form s3://host/bucket/prefix?region=eu-central-1"),
      },
    ),
    cache_bytes: integer(
      50_000_000_000,
      "Maximum disk space of this server's copies of repositories, if several servers share them through a bucket. Copies in use are kept.",
      { env: "HEARTH_CACHE_BYTES", check: between(0, 1_000_000_000_000_000) },
    ),
    access_key: text("", "Access key id for the S3-compatible service."),
    secret_key: text("", "The key's secret.", { isSecret: true }),
  },
  backup: {
    folder: text("", "Folder that contains the backups, for the administration page, metrics and warnings about old backups. Empty: no warnings."),
    max_age_hours: integer(26, "Age of the newest backup in hours above which the server warns.", { check: between(1, 87_600) }),
    url: text("", "Place of the scheduled backups: s3://host/bucket/prefix?region=eu-central-1 for a bucket, or file:///folder.", {
      check: (value) =>
        value === "" || value.startsWith("file:///") || parseStorageUrl(value) !== undefined
          ? undefined
          : "must have the form s3://host/bucket/prefix?region=eu-central-1 or file:///folder",
    }),
    schedule: text("", "When the server adds a backup to backup.url: a time in UTC such as 03:00, or hourly. Empty: never.", {
      check: (value) => (/^(|hourly|([01]\d|2[0-3]):[0-5]\d)$/.test(value) ? undefined : "must be a time such as 03:00, or hourly"),
    }),
    keep_daily: integer(7, "Days whose newest backup is kept after a scheduled backup.", { check: between(0, 9_999) }),
    keep_weekly: integer(4, "Weeks whose newest backup is kept.", { check: between(0, 9_999) }),
    keep_monthly: integer(12, "Months whose newest backup is kept. With 0 for days, weeks and months no backup is deleted.", { check: between(0, 9_999) }),
    verify: bool(false, "Restore each scheduled backup into a scratch folder and check it."),
    identity_file: text("", "File with the age identity for backup.verify, if backups are encrypted."),
    access_key: text("", "Access key id for the bucket of the backups. Empty: that of storage.access_key."),
    secret_key: text("", "The key's secret. Empty: that of storage.secret_key.", { isSecret: true }),
    recipients: list([], "Public keys of age (age1...) to which backups in a bucket or at a file:// address are encrypted. Empty: not encrypted.", {
      check: (keys) => (keys.every((key) => /^age1[0-9a-z]+$/.test(key)) ? undefined : "must list public keys of age, which begin with age1"),
    }),
  },
  log_shipping: {
    url: text(
      "",
      "Bucket that every change of the embedded database is copied to within a second, with the repositories and uploaded files that it needs: s3://host/bucket/prefix?region=eu-central-1. `hearth restore --at` restores the state of any time from it. Empty: off.",
      {
        check: (value) => (value === "" || parseStorageUrl(value) !== undefined ? undefined : "must have the form s3://host/bucket/prefix?region=eu-central-1"),
      },
    ),
    access_key: text("", "Access key id for the bucket. Empty: storage.access_key."),
    secret_key: text("", "The key's secret. Empty: storage.secret_key.", { isSecret: true }),
    days: integer(7, "Days whose states can be restored.", { check: between(1, 3_650) }),
    max_waiting_bytes: integer(
      268_435_456,
      "Maximum size of the log of the database while the bucket does not accept it. Beyond that, the whole database is copied again when the bucket answers, and states in between cannot be restored.",
      { check: between(16_777_216, 1_000_000_000_000) },
    ),
  },
  lfs: {
    enabled: bool(true, "Enable Git LFS."),
    max_object_bytes: integer(10_000_000_000, "Maximum size of a Git LFS object.", { check: between(1, 1_000_000_000_000_000) }),
  },
  actions: {
    in_new_repositories: bool(false, "Enable Actions in new repositories, except forks. Otherwise each repository enables them in its settings."),
    token_permissions: text("read", "Permissions of the token of a job that declares none: read, or write. Code of a fork only reads.", {
      check: oneOf("read", "write"),
    }),
    artifact_max_bytes: integer(5_000_000_000, "Maximum size of an artifact of a job.", { check: between(1, 1_000_000_000_000) }),
    artifact_days: integer(90, "Days that artifacts of jobs are kept. A workflow may choose fewer.", { check: between(1, 3_650) }),
    cache_bytes: integer(10_000_000_000, "Maximum size of all caches of a repository. The least recently used ones are deleted for new ones.", {
      check: between(0, 1_000_000_000_000_000),
    }),
    cache_days: integer(7, "Days after its last use until a cache is deleted.", { check: between(1, 3_650) }),
    log_days: integer(365, "Days that logs and summaries of jobs are kept.", { check: between(1, 36_500) }),
  },
  webhook: {
    allowed_hosts: list(
      ["external"],
      "Hosts that webhooks may call: host names (with *), addresses, networks such as 10.0.0.0/8, external (public addresses), private, loopback, or * for all.",
      { check: areHostRules },
    ),
    timeout_seconds: integer(10, "Timeout of a webhook request in seconds.", { check: between(1, 15) }),
    keep_days: integer(30, "Days that webhook deliveries are kept for viewing and redelivery.", { check: between(2, 3_650) }),
  },
  migration: {
    allowed_hosts: list(["external"], "Hosts that repositories may be fetched from and mirrored to, in the format of the webhook hosts.", {
      check: areHostRules,
    }),
  },
  images: {
    enabled: bool(true, "Show images of other hosts in texts, loaded by this server. Otherwise pages show their alternative text."),
    allowed_hosts: list(["external"], "Hosts that images are loaded from, in the format of the webhook hosts.", { check: areHostRules }),
  },
  mirror: {
    default_interval_seconds: integer(28_800, "Default interval of mirror synchronization.", { check: between(60, 31_536_000) }),
    min_interval_seconds: integer(600, "Minimum interval of mirror synchronization.", { check: between(1, 31_536_000) }),
  },
  limits: {
    page_default: integer(30, "Default page size of lists.", { check: between(1, 50) }),
    page_max: integer(50, "Maximum page size of lists.", { check: between(1, 1_000) }),
    owner_bytes: integer(0, "Maximum disk space for the repositories and files of one user or organization; 0: unlimited.", {
      check: between(0, 1_000_000_000_000_000),
    }),
    anonymous_places: integer(
      0,
      "Maximum number of expensive pages, and of packs and archives, that are made at once for callers who are not signed in; 0: half the number of cores.",
      { check: between(0, 1_000) },
    ),
    anonymous_budget_seconds: integer(120, "Time that the requests of one network without credentials may hold places within ten minutes; 0: unlimited.", {
      check: between(0, 100_000),
    }),
    account_budget_seconds: integer(1_800, "The same for the expensive requests of one account, with all its credentials; 0: unlimited.", {
      check: between(0, 100_000),
    }),
    json_bytes: integer(4_194_304, "Maximum size of a JSON request body, not counting file contents.", { check: between(1_024, 100_000_000) }),
  },
  metrics: {
    enabled: bool(false, "Serve /metrics in Prometheus format.", { env: "HEARTH_METRICS" }),
    token: text("", "Bearer token required for /metrics. Empty: none.", { isSecret: true }),
  },
  log: {
    level: text("info", "debug, info, warn, error or silent.", { env: "HEARTH_LOG_LEVEL", check: oneOf("debug", "info", "warn", "error", "silent") }),
  },
} as const;

export type Settings = typeof settings;
export type Section = keyof Settings;

/** The environment variable of a setting: `HEARTH_GIT_MAX_PROCESSES` for `git.max_processes`. */
export const environmentName = (section: string, name: string, setting: { readonly env?: string }): string =>
  setting.env ?? `HEARTH_${section}_${name}`.toUpperCase();
