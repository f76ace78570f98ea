import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../../config/config.ts";
import type { Db, Tx } from "../../db/db.ts";
import type { Presence } from "../../db/presence.ts";
import { deleteServerValue, readServerValue, writeServerValue } from "../../db/server-values.ts";
import { hasAnyUser } from "../../features/accounts/users/service/accounts.ts";
import { hasStores } from "../../features/repositories/refs/service/stores.ts";
import { wasImported } from "./again.ts";

/** Server values: of an import that is incomplete, and the process that imports. */
const [name, processName] = ["gitea_import", "gitea_import_process"];

export interface Progress {
  /** The database that is imported. */
  readonly source: string;
  /** The phase of the last transaction; empty before the first. */
  readonly phase: string;
  /** The last repository of that phase; 0 before the first. */
  readonly repositoryId: number;
  /** Whether the server was imported before. */
  readonly isAgain?: true;
}

/**
 * Begins an import into an empty server, continues one, or begins another one into a server that was imported before.
 * @throws ConfigError if the server has other data, or the import of another Gitea is incomplete
 */
export async function beginImport(db: Db, { dataDirectory, source }: { readonly dataDirectory: string; readonly source: string }): Promise<Progress> {
  const kept = await readServerValue(db, name);
  if (kept !== undefined) {
    const progress = JSON.parse(kept) as Progress;
    if (progress.source !== source)
      throw new ConfigError(`the import of ${progress.source} is incomplete: continue it, or start again with an empty data folder`);
    return progress;
  }
  const progress: Progress = { source, phase: "", repositoryId: 0 };
  // A server that was imported before stays whole until everything is written again, in one transaction.
  if (await wasImported(db, source)) return { ...progress, isAgain: true };
  await requireEmpty(db, dataDirectory);
  await db.tx((tx) => keepProgress(tx, progress));
  return progress;
}

export const keepProgress = (tx: Tx, progress: Progress): Promise<void> => writeServerValue(tx, name, JSON.stringify(progress));

export async function endImport(tx: Tx): Promise<void> {
  await deleteServerValue(tx, name);
  await deleteServerValue(tx, processName);
}

/**
 * Makes the import visible to servers that start while it runs. They join before they look for imports, and the import looks for them afterwards,
 * so at least one of both sees the other.
 * @throws ConfigError if a server or another import uses the database
 */
export async function keepServersAway(db: Db, presence: Presence): Promise<void> {
  const requireAlone = async (): Promise<void> => {
    if ((await presence.listRunning()).size > 1) throw new ConfigError("a server or another import uses this database: stop it first");
  };
  await requireAlone();
  await db.tx((tx) => writeServerValue(tx, processName, String(presence.id())));
  await requireAlone();
}

async function requireEmpty(db: Db, dataDirectory: string): Promise<void> {
  const refusal = (what: string): ConfigError =>
    new ConfigError(
      `${what}: an import needs an empty server. Set HEARTH_DATA to an empty folder, and HEARTH_DATABASE_URL to an empty database if you use PostgreSQL`,
    );
  if (await hasAnyUser(db)) throw refusal("the server has accounts");
  if ((await hasStores(db)) || hasEntries(join(dataDirectory, "repositories"))) throw refusal(`the folder ${dataDirectory} has repositories`);
}

function hasEntries(path: string): boolean {
  try {
    return readdirSync(path).length > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** The items that a phase has not written yet. @param phases in their order */
export function remaining<T extends { readonly id: number }>(progress: Progress, phases: readonly string[], phase: string, items: readonly T[]): readonly T[] {
  const [before, now] = [phases.indexOf(progress.phase), phases.indexOf(phase)];
  if (before !== now) return before < now ? items : [];
  return items.slice(items.findIndex(({ id }) => id === progress.repositoryId) + 1);
}

/** To be called when this process is visible to others. @throws ConfigError if an import into the database is running or incomplete */
export async function refuseIncompleteImport(db: Db, listRunning: () => Promise<ReadonlySet<number>>): Promise<void> {
  const importing = await readServerValue(db, processName);
  if (importing !== undefined && (await listRunning()).has(Number(importing)))
    throw new ConfigError("an import from Gitea writes to this database: start the server when it has ended");
  if ((await readServerValue(db, name)) !== undefined)
    throw new ConfigError("the import from Gitea is incomplete: run `hearth import gitea` again with the same options, or use an empty data folder");
}
