import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parse as parseToml } from "smol-toml";
import { environmentName, type Section, type Setting, type Settings, settings } from "./settings.ts";

type ValueOf<S> = S extends Setting<infer T> ? T : never;
type Values = { readonly [S in Section]: { readonly [K in keyof Settings[S]]: ValueOf<Settings[S][K]> } };

/** The server's configuration: frozen, complete and validated. */
export type Config = Values & {
  /** Absolute path of the data folder. */
  readonly dataDirectory: string;
  /** `PATH` for finding git. */
  readonly searchPath: string;
  /** Settings that the operator has set, as `section.name`: defaults may be adjusted, explicit values must not. */
  readonly chosen: ReadonlySet<string>;
  /** Source of each value that is not a default, by `section.name`. */
  readonly origins: ReadonlyMap<string, "environment" | "file">;
};

/** The configuration is invalid; the message is one line for the operator. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

type Environment = Readonly<Record<string, string | undefined>>;
type AnySetting = Setting<string | number | boolean | readonly string[]>;

/** Every setting with its section and name. */
export function allSettings(): { readonly section: Section; readonly name: string; readonly setting: AnySetting }[] {
  return Object.entries(settings).flatMap(([section, members]) =>
    Object.entries(members).map(([name, setting]) => ({ section: section as Section, name, setting: setting as unknown as AnySetting })),
  );
}

/**
 * Reads the file named by `HEARTH_CONFIG`, if any (TOML, or JSON by its extension), then the environment, which takes precedence.
 * @throws ConfigError naming the setting and the accepted values
 */
export function loadConfig(environment: Environment): Config {
  const path = environment.HEARTH_CONFIG;
  const file = path === undefined || path === "" ? {} : readFile(path);
  const known = new Set(allSettings().map(({ section, name }) => `${section}.${name}`));
  for (const [section, members] of Object.entries(file)) {
    if (typeof members !== "object" || members === null) throw new ConfigError(`${path}: ${section} must be a section, such as [server]`);
    for (const name of Object.keys(members))
      if (!known.has(`${section}.${name}`)) throw new ConfigError(`${path}: unknown setting ${section}.${name}; run \`hearth config\` to list all settings`);
  }
  const values: Record<string, Record<string, unknown>> = {};
  const chosen = new Set<string>();
  const origins = new Map<string, "environment" | "file">();
  for (const { section, name, setting } of allSettings()) {
    const variable = environmentName(section, name, setting);
    const fromFile = (file[section] as Record<string, unknown> | undefined)?.[name];
    const given = environment[variable];
    let value: unknown = setting.fallback;
    if (given !== undefined && given !== "") {
      value = fromText(given, setting, variable);
      origins.set(`${section}.${name}`, "environment");
    } else if (fromFile !== undefined) {
      value = fromFileValue(fromFile, setting, `${path}: ${section}.${name}`);
      origins.set(`${section}.${name}`, "file");
    }
    // A default spelled out in the file does not count as set.
    if ((given !== undefined && given !== "") || !isDeepStrictEqual(value, setting.fallback)) chosen.add(`${section}.${name}`);
    const problem = setting.check?.(value as never);
    if (problem !== undefined) throw new ConfigError(`${given === undefined ? `${section}.${name}` : variable} ${problem}`);
    values[section] ??= {};
    values[section][name] = value;
  }
  const complete = values as unknown as Values;
  if (complete.registration.enabled && complete.mail.host === "")
    throw new ConfigError("registration.enabled requires mail.host: accounts are confirmed by email");
  if ((complete.server.tls_cert === "") !== (complete.server.tls_key === "")) throw new ConfigError("server.tls_cert and server.tls_key must be set together");
  if (complete.log_shipping.url !== "" && complete.database.url !== "")
    throw new ConfigError("log_shipping.url requires the embedded database: archive the log of PostgreSQL with its own tools, as docs/backup.md shows");
  if (complete.log_shipping.url !== "" && complete.database.durability !== "group")
    throw new ConfigError("log_shipping.url requires database.durability = group: otherwise SQLite alone handles the log");
  for (const section of Object.values(complete)) Object.freeze(section);
  return Object.freeze({ ...complete, dataDirectory: resolve(complete.server.data), searchPath: environment.PATH ?? "", chosen, origins });
}

function readFile(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError(`HEARTH_CONFIG: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
  try {
    const value: unknown = path.endsWith(".json") ? JSON.parse(text) : parseToml(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    throw new ConfigError(`${path}: ${(error as Error).message.split("\n", 1)[0]}`, { cause: error });
  }
  throw new ConfigError(`${path}: must contain sections, such as [server]`);
}

function fromText(text: string, setting: AnySetting, name: string): unknown {
  switch (setting.kind) {
    case "text":
      return text;
    case "list":
      return text
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== "");
    case "integer":
      if (!/^-?\d{1,15}$/.test(text)) throw new ConfigError(`${name} must be an integer, not ${JSON.stringify(text)}`);
      return Number(text);
    case "boolean":
      if (!/^(true|false|1|0)$/.test(text)) throw new ConfigError(`${name} must be true or false, not ${JSON.stringify(text)}`);
      return text === "true" || text === "1";
  }
}

function fromFileValue(value: unknown, setting: AnySetting, name: string): unknown {
  const fits =
    setting.kind === "text"
      ? typeof value === "string"
      : setting.kind === "integer"
        ? Number.isSafeInteger(value)
        : setting.kind === "boolean"
          ? typeof value === "boolean"
          : Array.isArray(value) && value.every((item) => typeof item === "string");
  if (!fits)
    throw new ConfigError(
      `${name} must be ${setting.kind === "list" ? "a list of strings" : setting.kind === "text" ? "a string" : setting.kind === "integer" ? "an integer" : "true or false"}`,
    );
  return value;
}

/** The default configuration as a commented TOML file. */
export function defaultConfigFile(): string {
  const lines = ["# Hearth's configuration. Every value below is the default; HEARTH_CONFIG names the file to read.", ""];
  let current = "";
  for (const { section, name, setting } of allSettings()) {
    if (section !== current) {
      if (current !== "") lines.push("");
      lines.push(`[${section}]`);
      current = section;
    }
    lines.push(`# ${setting.comment}`, `# Environment: ${environmentName(section, name, setting)}`, `${name} = ${JSON.stringify(setting.fallback)}`);
  }
  return `${lines.join("\n")}\n`;
}
