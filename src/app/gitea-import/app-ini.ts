import { readFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { ConfigError } from "../../config/config.ts";
import type { MysqlTls } from "../../db/foreign-mysql.ts";

/** The sections of an `app.ini` of Gitea. Names are compared without regard to case. */
export interface AppIni {
  /** @returns the value, or the fallback for a missing or empty one */
  get(section: string, key: string, fallback?: string): string;
}

/** Parses an INI file: `key = value`, optionally in quotes or backquotes, comments with `;` and `#`. */
export function parseAppIni(text: string): AppIni {
  const values = new Map<string, string>();
  let section = "";
  for (const line of text.split(/\r?\n/)) {
    const [, heading] = /^\s*\[([^\]]*)\]\s*$/.exec(line) ?? [];
    if (heading !== undefined) section = heading.trim().toLowerCase();
    const [, key, value = ""] = /^\s*([^;#[=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined) values.set(`${section}\0${key.toLowerCase()}`, unquoted(value));
  }
  return { get: (name, key, fallback = "") => values.get(`${name.toLowerCase()}\0${key.toLowerCase()}`) || fallback };
}

function unquoted(value: string): string {
  const [, , quoted] = /^(["'`])(.*)\1$/.exec(value) ?? [];
  return quoted ?? value.replace(/\s+[;#].*$/, "");
}

/** Where a Gitea keeps its data. */
export interface GiteaPlaces {
  /** `sqlite:PATH`, or a URL of PostgreSQL or MySQL. */
  readonly database: string;
  /** Schema of PostgreSQL; empty: that of its user. */
  readonly schema: string;
  readonly repositories: string;
  readonly lfs: string;
  readonly attachments: string;
  readonly avatars: string;
  readonly repositoryAvatars: string;
  readonly actionLogs: string;
  readonly artifacts: string;
  /** Encrypts secrets in the database. */
  readonly secretKey: string;
  /** Whether the first sign-in with an OpenID Connect provider creates an account. */
  readonly registersUsers: boolean;
}

/** The key of a Gitea without `SECRET_KEY`. */
const builtInSecretKey = "!#@FDEWREWR&*(";

/**
 * Reads the places from `app.ini`.
 * @throws ConfigError for a file that cannot be read, a database of another kind, and files in a bucket
 */
export function readPlaces(path: string): GiteaPlaces {
  const ini = parseAppIni(readText(path));
  // Without WORK_PATH, the file is in WORK_PATH/custom/conf.
  const work = ini.get("", "WORK_PATH", resolve(dirname(path), "..", ".."));
  const within = (root: string, given: string): string => (isAbsolute(given) ? given : join(root, given));
  const data = within(work, ini.get("server", "APP_DATA_PATH", "data"));
  const folder = (section: string, name: string, former = ""): string => storageFolder(ini, section, { name, former, data });
  return {
    ...readDatabase(ini, data),
    repositories: within(work, ini.get("repository", "ROOT", join(data, "gitea-repositories"))),
    lfs: folder("lfs", "lfs", ini.get("server", "LFS_CONTENT_PATH")),
    attachments: folder("attachment", "attachments"),
    avatars: folder("avatar", "avatars", ini.get("picture", "AVATAR_UPLOAD_PATH")),
    repositoryAvatars: folder("repo-avatar", "repo-avatars", ini.get("picture", "REPOSITORY_AVATAR_UPLOAD_PATH")),
    actionLogs: folder("storage.actions_log", "actions_log"),
    artifacts: folder("actions.artifacts", "actions_artifacts"),
    secretKey: readSecretKey(ini),
    registersUsers: ini.get("oauth2_client", "ENABLE_AUTO_REGISTRATION").toLowerCase() === "true",
  };
}

/** The places of a Gitea with the usual folders in its data folder. */
export const placesIn = (data: string): Omit<GiteaPlaces, "database" | "schema"> => ({
  repositories: join(data, "gitea-repositories"),
  lfs: join(data, "lfs"),
  attachments: join(data, "attachments"),
  avatars: join(data, "avatars"),
  repositoryAvatars: join(data, "repo-avatars"),
  actionLogs: join(data, "actions_log"),
  artifacts: join(data, "actions_artifacts"),
  secretKey: builtInSecretKey,
  registersUsers: false,
});

interface StoragePlace {
  readonly name: string;
  /** The value of a former setting. */
  readonly former: string;
  readonly data: string;
}

function storageFolder(ini: AppIni, section: string, { name, former, data }: StoragePlace): string {
  const own = `storage.${name}`;
  const type = ini.get(section, "STORAGE_TYPE", ini.get(own, "STORAGE_TYPE", ini.get("storage", "STORAGE_TYPE", "local")));
  const kind = ini.get(`storage.${type}`, "STORAGE_TYPE", type);
  if (kind !== "local") throw new ConfigError(`app.ini: the files of [${section}] are in ${kind} storage: copy them to a folder, and name it with --data`);
  const [given, ownPath] = [section === own ? "" : ini.get(section, "PATH"), ini.get(own, "PATH", former)];
  return ownPath === "" ? resolve(data, ini.get("storage", "PATH"), given || name) : resolve(data, ownPath, given);
}

function readDatabase(ini: AppIni, data: string): Pick<GiteaPlaces, "database" | "schema"> {
  const kind = ini.get("database", "DB_TYPE").toLowerCase();
  if (kind === "sqlite3" || kind === "sqlite") return { database: `sqlite:${ini.get("database", "PATH", join(data, "gitea.db"))}`, schema: "" };
  if (kind === "mysql") return { database: mysqlUrl(ini), schema: "" };
  if (kind !== "postgres" && kind !== "postgresql")
    throw new ConfigError(
      `app.ini: a database of the type ${JSON.stringify(kind)} cannot be imported; move it to SQLite, PostgreSQL or MySQL with \`gitea dump\` first`,
    );
  const host = ini.get("database", "HOST", "127.0.0.1:5432");
  const parameters = new URLSearchParams({ sslmode: ini.get("database", "SSL_MODE", "disable") });
  if (host.startsWith("/")) parameters.set("host", host);
  const { login, name } = readLogin(ini);
  return { database: `postgres://${login}@${host.startsWith("/") ? "" : host}/${name}?${parameters}`, schema: ini.get("database", "SCHEMA") };
}

const readLogin = (ini: AppIni): { readonly login: string; readonly name: string } => ({
  login: [ini.get("database", "USER"), ini.get("database", "PASSWD")].map(encodeURIComponent).join(":"),
  name: encodeURIComponent(ini.get("database", "NAME")),
});

const mysqlTls: Readonly<Record<string, MysqlTls>> = { true: "verified", "skip-verify": "encrypted", prefer: "preferred" };

function mysqlUrl(ini: AppIni): string {
  const host = ini.get("database", "HOST", "127.0.0.1:3306");
  const isSocket = host.startsWith("/");
  const parameters = new URLSearchParams({ tls: mysqlTls[ini.get("database", "SSL_MODE")] ?? "none", ...(isSocket && { socket: host }) });
  const { login, name } = readLogin(ini);
  return `mysql://${login}@${isSocket ? "localhost" : host}/${name}?${parameters}`;
}

function readSecretKey(ini: AppIni): string {
  const uri = ini.get("security", "SECRET_KEY_URI");
  if (uri === "") return ini.get("security", "SECRET_KEY", builtInSecretKey);
  if (!uri.startsWith("file:")) throw new ConfigError("app.ini: SECRET_KEY_URI must begin with file:");
  return readText(uri.replace(/^file:(\/\/)?/, "")).trim();
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}
