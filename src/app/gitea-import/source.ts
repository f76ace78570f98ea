import { statSync } from "node:fs";
import { jobAccount } from "../../access/system-account.ts";
import { ConfigError } from "../../config/config.ts";
import { type ForeignDatabase, type ForeignRow, type ForeignValue, openForeignDatabase } from "../../db/foreign-database.ts";
import type { GiteaPlaces } from "./app-ini.ts";

/** A Gitea that is read and never changed. */
export interface GiteaSource {
  readonly database: ForeignDatabase;
  readonly places: GiteaPlaces;
}

/** The version of the schema, with the versions of Gitea that have it. */
const knownSchema = { version: 331, releases: "1.26" } as const;

/**
 * Opens the database and checks that the folders exist.
 * @throws ConfigError with one line; ForgeError `unavailable` if the database cannot be read
 */
export async function openSource(places: GiteaPlaces): Promise<GiteaSource> {
  requireFolder("repositories", places.repositories);
  const sqlite = /^sqlite:(?:\/\/)?(.+)$/.exec(places.database)?.[1];
  if (sqlite !== undefined && statSync(sqlite, { throwIfNoEntry: false })?.isFile() !== true) throw new ConfigError(`the database ${sqlite} does not exist`);
  const database = await openForeignDatabase(places.database, places.schema);
  try {
    await requireKnownSchema(database);
    return { database, places };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function requireFolder(name: string, path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw new ConfigError(`the folder of the ${name} does not exist: ${path}`);
}

async function requireKnownSchema(database: ForeignDatabase): Promise<void> {
  if (!(await database.hasTable("version"))) throw new ConfigError("the database is not one of Gitea: it has no table version");
  const [row] = await database.all("select version from version where id = 1");
  const version = row === undefined ? "none" : row.version;
  if (version === knownSchema.version) return;
  // A Gitea that was a Forgejo before keeps this table; Forgejo itself never has the version above.
  if (await database.hasTable("forgejo_version"))
    throw new ConfigError(
      `the database is one of Forgejo, whose schema differs from that of Gitea: no version of Forgejo can be imported, only Gitea ${knownSchema.releases}. Migrate its repositories one by one`,
    );
  const advice = Number(version) < knownSchema.version ? `update Gitea to ${knownSchema.releases} first` : "use a newer version of Hearth";
  throw new ConfigError(
    `the schema of the Gitea database has the version ${version}; only version ${knownSchema.version} (Gitea ${knownSchema.releases}) can be imported: ${advice}`,
  );
}

export const textOf = (value: ForeignValue | undefined): string => {
  if (Buffer.isBuffer(value)) return value.toString("utf8");
  // PostgreSQL stores no NUL.
  return typeof value === "string" ? value.replaceAll("\0", "") : value == null ? "" : String(value);
};
export const numberOf = (value: ForeignValue | undefined): number => (typeof value === "number" ? value : Number(textOf(value)) || 0);
export const flagOf = (value: ForeignValue | undefined): 0 | 1 => (value === 1 || value === "1" || value === "t" ? 1 : 0);
/** Gitea stores seconds. */
export const millisOf = (value: ForeignValue | undefined): number => Math.max(0, numberOf(value)) * 1_000;
export const millisOrNull = (value: ForeignValue | undefined): number | null => (numberOf(value) > 0 ? millisOf(value) : null);

/** Ids of existing rows, or the account of jobs, which every server has: other references are broken, or to accounts of the system. */
export const knownId = (value: ForeignValue | undefined, known: { has(id: number): boolean }): number | null => {
  const id = numberOf(value);
  return known.has(id) || id === jobAccount.id ? id : null;
};

export type { ForeignRow };
