import { parseHostRules } from "../core/host-rules.ts";
import { isValidEmail } from "../core/names.ts";
import { createPeerCheck } from "../core/peer-check.ts";
import { parseStorageUrl } from "./storage-url.ts";

/** One setting: where it stands, what it means, what it is without being set. The commented default file and docs are printed from this table. */
export interface Setting<T> {
  /** `section.name` in the file; the environment variable follows from it unless `env` names another. */
  readonly kind: "text" | "integer" | "boolean" | "list";
  readonly fallback: T;
  readonly comment: string;
  readonly env?: string;
  /** @returns why the value cannot be used, or undefined */
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

const between = (least: number, most: number) => (value: number) => (value < least || value > most ? `must lie between ${least} and ${most}` : undefined);
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
  if (!URL.canParse(value) || !/^https?:\/\//.test(value)) return "must be an http or https address";
  const { search, hash, username, pathname } = new URL(value);
  if (search !== "" || hash !== "" || username !== "") return "must have no query, fragment or user name";
  return pathname === "/" ? undefined : "must have no path: Hearth is served from the root of a host name";
};

const areHostRules = (value: readonly string[]): string | undefined =>
  parseHostRules(value) === undefined ? "must list host names (with *), addresses, networks such as 10.0.0.0/8, or external, private, loopback, *" : undefined;

/** Every setting of the server, by section. */
export const settings = {
  server: {
    host: text("127.0.0.1", "Address to listen on. 0.0.0.0 or :: serve other machines too.", { env: "HEARTH_HOST" }),
    port: integer(3000, "Port to listen on; 0 takes a free one.", { env: "HEARTH_PORT", check: between(0, 65_535) }),
    data: text("./data", "Folder for repositories, the embedded database and caches. Made when missing.", { env: "HEARTH_DATA" }),
    root_url: text(
      "",
      "Address under which people and clients reach the server, such as https://git.example.org. All links are made from it. Empty: from host and port.",
      {
        env: "HEARTH_ROOT_URL",
        check: isRootUrl,
      },
    ),
    tls_cert: text(
      "",
      "Path of a PEM file with the certificate, followed by its intermediate certificates, for serving https without a proxy. Read again on SIGHUP. Empty: http.",
      { env: "HEARTH_TLS_CERT" },
    ),
    tls_key: text("", "Path of the PEM file with the private key of tls_cert.", { env: "HEARTH_TLS_KEY" }),
    sign_in_required: bool(false, "Nothing is shown to callers who have not signed in."),
    secret_key: text(
      "",
      "Key that seals secrets in the database: 64 hex digits, the same on all servers of one database. Empty: the one that the first start makes in the data folder.",
      {
        env: "HEARTH_SECRET_KEY",
        isSecret: true,
        check: (value) => (value === "" || /^[0-9a-f]{64}$/.test(value) ? undefined : "must be 64 lower-case hex digits"),
      },
    ),
    trusted_proxies: list([], "Addresses of reverse proxies whose X-Forwarded-For is believed.", { check: areNetworks }),
  },
  ssh: {
    enabled: bool(true, "Serve git over SSH."),
    host: text("", "Address to listen on for SSH. Empty: the one of the server."),
    port: integer(2222, "Port to listen on for SSH; 0 takes a free one. The server starts without SSH where another program has the default.", {
      check: between(0, 65_535),
    }),
    domain: text("", "Host name in the SSH addresses of repositories. Empty: the one of the root address."),
    public_port: integer(0, "Port in the SSH addresses of repositories, where something forwards to this server. 0: the port that it listens on.", {
      check: between(0, 65_535),
    }),
    max_connections: integer(500, "SSH connections at once.", { check: between(1, 100_000) }),
    max_connections_per_network: integer(100, "SSH connections at once from one IPv4 address or one IPv6 network (/64).", { check: between(1, 100_000) }),
  },
  sign_in: {
    failures: integer(10, "Wrong passwords or codes for one name from one network after which the next attempt has to wait.", { check: between(1, 10_000) }),
    failures_per_network: integer(50, "The same for all names from one network from which they have never signed in.", { check: between(1, 100_000) }),
    failures_per_name: integer(50, "The same for one name from all networks from which its account has never signed in.", { check: between(1, 100_000) }),
    forget_seconds: integer(60, "How long it takes until one failure is forgotten, in seconds.", { check: between(1, 86_400) }),
  },
  registration: {
    enabled: bool(false, "Whoever confirms an e-mail address may make an account. Needs mail.host. Off: administrators make accounts."),
    email_domains: list([], "Domains of the addresses that may, such as example.org. Empty: all."),
  },
  proxy_sign_in: {
    enabled: bool(false, "People sign in at the reverse proxy, which names them in a header. Only proxies among server.trusted_proxies are believed."),
    user_header: text("X-WEBAUTH-USER", "Header that holds the name of the account. The proxy must take it out of what its callers send."),
    email_header: text("X-WEBAUTH-EMAIL", "Header that holds the e-mail address of an account to be made."),
    full_name_header: text("X-WEBAUTH-FULLNAME", "Header that holds its full name."),
    auto_register: bool(false, "Whoever has no account gets one."),
  },
  mail: {
    host: text("", "Mail server (SMTP) that takes letters: news of issues, forgotten passwords, and whether an address is somebody's. Empty: none are sent."),
    port: integer(465, "Its port: 465 for tls, 587 for starttls, 25 for none.", { check: between(1, 65_535) }),
    security: text("tls", "tls from the first byte, starttls, or none.", { check: oneOf("tls", "starttls", "none") }),
    user: text("", "Name to sign in with. Empty: without."),
    password: text("", "Password to sign in with.", { isSecret: true }),
    from: text("hearth@localhost", "Sender of the letters, such as hearth@git.example.org.", {
      check: (value) => (isValidEmail(value) ? undefined : "must be an e-mail address"),
    }),
  },
  signing: {
    enabled: bool(false, "Commits and tags that the server makes for people are signed with an SSH key of its own."),
  },
  database: {
    url: text("", "postgres://user:password@host/name for PostgreSQL. Empty: an embedded SQLite database in the data folder.", {
      env: "HEARTH_DATABASE_URL",
      isSecret: true,
    }),
  },
  admin: {
    username: text("", "First administrator, made when the server has no user yet. Empty: one named `root` is made and its password shown once.", {
      env: "HEARTH_ADMIN_USERNAME",
    }),
    email: text("", "E-mail address of the first administrator.", { env: "HEARTH_ADMIN_EMAIL" }),
    password: text("", "Password of the first administrator.", { env: "HEARTH_ADMIN_PASSWORD", isSecret: true }),
    token: text("", "Access token of the first administrator, with all scopes: 40 hex digits.", {
      env: "HEARTH_ADMIN_TOKEN",
      isSecret: true,
      check: (value) => (value === "" || /^[0-9a-f]{40}$/.test(value) ? undefined : "must be 40 lower-case hex digits"),
    }),
  },
  sessions: {
    idle_days: integer(14, "Days after which a browser that did not come back is signed out.", { check: between(1, 3_650) }),
    max_days: integer(90, "Days after which a browser has to sign in again however much it is used.", { check: between(1, 3_650) }),
  },
  oauth2: {
    access_token_seconds: integer(3_600, "Seconds for which an access token of an OAuth2 application is good.", { check: between(60, 86_400) }),
    refresh_token_hours: integer(730, "Hours after which an application that did not come back has to ask the person again.", { check: between(1, 87_600) }),
  },
  repositories: {
    default_branch: text("main", "Name of the first branch of a new repository."),
    max_per_user: integer(-1, "How many repositories one user may own; -1 sets no bound.", { check: between(-1, 1_000_000_000) }),
    keep_deleted_days: integer(7, "Days for which the objects of a deleted repository stay on disk.", { check: between(0, 36_500) }),
    max_file_bytes: integer(50_000_000, "Largest file that the contents API takes.", { check: between(1, 2_000_000_000) }),
    max_blob_bytes: integer(10_485_760, "Largest file whose content is given inside a JSON answer.", { check: between(1, 500_000_000) }),
  },
  git: {
    binary: text("git", "The git program, 2.39 or newer."),
    max_reads: integer(0, "How many git processes answer reads (history by path, archives, comparisons) at once; 0: by the number of cores.", {
      check: between(0, 1_000),
    }),
    max_transfers: integer(0, "How many fetches and pushes run git at once; 0: by the number of cores.", { check: between(0, 1_000) }),
    max_wait_ms: integer(15_000, "How long a request waits for a git process, in milliseconds, before it is answered 503.", { check: between(0, 600_000) }),
    max_push_bytes: integer(4_000_000_000, "Largest pack that a push may send.", { check: between(1, 1_000_000_000_000) }),
    max_refs_per_push: integer(20_000, "How many refs one push may change.", { check: between(1, 1_000_000) }),
    pack_cache_bytes: integer(2_000_000_000, "Disk space for packs that are kept to answer the same clone again.", { check: between(0, 1_000_000_000_000) }),
  },
  attachments: {
    max_bytes: integer(104_857_600, "Largest file that may hang on an issue or a comment.", { check: between(1, 10_000_000_000) }),
    release_max_bytes: integer(2_147_483_648, "Largest file of a release.", { check: between(1, 1_000_000_000_000) }),
    allowed_endings: list(
      ".avif .cpuprofile .csv .dmp .docx .fodg .fodp .fods .fodt .gif .gz .jpeg .jpg .json .jsonc .log .md .mov .mp4 .odf .odg .odp .ods .odt .patch .pdf .png .pptx .svg .tgz .txt .webm .webp .xls .xlsx .zip".split(
        " ",
      ),
      "Endings of the names of files of issues and comments; * takes all.",
    ),
  },
  storage: {
    url: text(
      "",
      "Where uploaded files are kept (of issues and releases, pictures, large files): empty for the data folder, or s3://host/bucket/prefix?region=eu-central-1 of an S3-compatible service; s3+http:// for one without TLS.",
      { check: (value) => (value === "" || parseStorageUrl(value) !== undefined ? undefined : "must be such as s3://host/bucket/prefix?region=eu-central-1") },
    ),
    access_key: text("", "Name of the key for that service."),
    secret_key: text("", "The key's secret.", { isSecret: true }),
  },
  lfs: {
    enabled: bool(true, "Keep large files for git lfs."),
    max_object_bytes: integer(10_000_000_000, "Largest file that git lfs may bring.", { check: between(1, 1_000_000_000_000_000) }),
  },
  webhook: {
    allowed_hosts: list(
      ["external"],
      "Hosts that webhooks may call: host names (with *), addresses, networks such as 10.0.0.0/8, external (public addresses), private, loopback, or * for all.",
      { check: areHostRules },
    ),
    timeout_seconds: integer(10, "Seconds for which a webhook may take to answer.", { check: between(1, 15) }),
    keep_days: integer(30, "Days for which deliveries of webhooks can be looked at, fetched and sent again.", { check: between(2, 3_650) }),
  },
  migration: {
    allowed_hosts: list(["external"], "Hosts that repositories may be fetched from and mirrored to, written as for webhooks.", { check: areHostRules }),
  },
  mirror: {
    default_interval_seconds: integer(28_800, "How often a mirror is synchronized where nobody says how often.", { check: between(60, 31_536_000) }),
    min_interval_seconds: integer(600, "How often a mirror may be synchronized at most.", { check: between(1, 31_536_000) }),
  },
  limits: {
    page_default: integer(30, "Items on a page of a list when the caller names no number.", { check: between(1, 50) }),
    page_max: integer(50, "Most items on a page.", { check: between(1, 1_000) }),
    owner_bytes: integer(0, "Most bytes that the repositories of one user or organization take, files included; 0: as many as they like.", {
      check: between(0, 1_000_000_000_000_000),
    }),
    json_bytes: integer(4_194_304, "Largest JSON body of a request, files aside.", { check: between(1_024, 100_000_000) }),
  },
  metrics: {
    enabled: bool(false, "Serve /metrics in Prometheus' format.", { env: "HEARTH_METRICS" }),
    token: text("", "Bearer token that /metrics asks for. Empty: none.", { isSecret: true }),
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
