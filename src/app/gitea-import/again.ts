import { ConfigError } from "../../config/config.ts";
import type { Db, Reader, Tx } from "../../db/db.ts";
import { deleteRows } from "../../db/row-batch.ts";
import { readServerValue, writeServerValue } from "../../db/server-values.ts";
import { sumTables, type TableSums } from "../../db/table-sums.ts";
import type { Tables } from "../../db/tables.ts";
import { findArtifactFile } from "../../features/actions/runs/artifacts/service/artifacts.ts";
import { getStore } from "../../features/repositories/refs/service/stores.ts";
import type { KeptFile } from "./files.ts";
import type { EarlierStores, StoreKind } from "./git-content.ts";
import { findAttachedFile, findStoredFile, listStoresOfRepositories } from "./store.ts";

/** Server values of a complete import, and of the stores that an interrupted second one has created. */
const [importedName, storesName] = ["gitea_imported", "gitea_import_stores"];

interface Imported {
  readonly source: string;
  readonly sums: TableSums;
}

/**
 * The tables that an import writes, those with references before those that they refer to, with the columns that a server changes without a change
 * of its data: times of use, hashes after the first use, and facts about the content.
 */
const importedTables: Readonly<Record<string, readonly string[]>> = {
  notifications: ["status", "updated_ms", "comment_id"],
  commit_statuses: [],
  pull_mirrors: ["next_sync_ms", "synced_ms", "failures", "last_error"],
  push_mirrors: ["next_sync_ms", "synced_ms", "failures", "last_error"],
  hooks: [],
  action_secrets: [],
  action_variables: [],
  action_artifacts: [],
  action_log_parts: [],
  action_tasks: [],
  action_jobs: [],
  action_runs: [],
  action_runner_tokens: [],
  action_runners: ["token_hash", "version", "labels", "seen_ms", "active_ms"],
  stopwatches: [],
  issue_mentions: [],
  issue_subscriptions: [],
  issue_dependencies: [],
  content_history: [],
  reactions: [],
  tracked_times: [],
  attachments: ["download_count"],
  review_comments: [],
  reviews: [],
  pull_auto_merges: [],
  comments: [],
  pull_requests: [],
  issue_assignees: [],
  issue_labels: [],
  issues: [],
  milestones: [],
  labels: [],
  lfs_locks: [],
  lfs_objects: [],
  releases: [],
  ref_protection_users: [],
  ref_protection_teams: [],
  ref_protections: [],
  deploy_keys: ["last_used_ms"],
  repository_topics: [],
  stars: [],
  watches: [],
  team_repositories: [],
  collaborators: [],
  repository_redirects: [],
  repositories: ["licenses", "language"],
  topics: [],
  oauth2_grants: [],
  oauth2_applications: ["secret_hash"],
  access_tokens: ["token_hash", "token_salt", "last_used_ms"],
  recovery_codes: [],
  second_factors: ["last_step"],
  gpg_keys: [],
  public_keys: ["last_used_ms"],
  organization_members: [],
  team_members: [],
  team_units: [],
  teams: [],
  follows: [],
  blocks: [],
  account_redirects: [],
  account_emails: [],
  external_identities: ["label", "last_used_ms"],
  accounts: ["password_hash", "last_login_ms", "updated_ms"],
  authentication_sources: [],
};

/** Written too. A server deletes old activities, and adds one only with other changes. It reads workflows from the content. */
const agingTables = ["activities", "action_workflows"] as const;

const sumsOf = (db: Reader): Promise<TableSums> => sumTables(db, { ...importedTables, refs: [] });

/** Remembers what an import has written, in its last transaction. */
export async function keepImported(tx: Tx, source: string): Promise<void> {
  const imported: Imported = { source, sums: await sumsOf(tx) };
  await writeServerValue(tx, importedName, JSON.stringify(imported));
  await writeServerValue(tx, storesName, "{}");
}

/**
 * Whether an import has filled the server.
 * @throws ConfigError if it has another source, or the server was changed since
 */
export async function wasImported(db: Reader, source: string): Promise<boolean> {
  const kept = await readServerValue(db, importedName);
  if (kept === undefined) return false;
  const imported = JSON.parse(kept) as Imported;
  if (imported.source !== source) throw new ConfigError(`the server was imported from ${imported.source}: name the same database, or use an empty data folder`);
  const now = await sumsOf(db);
  const changed = Object.keys(now).filter((table) => now[table] !== imported.sums[table]);
  if (changed.length === 0) return true;
  throw new ConfigError(
    `the server was changed after the import (${changed.map((table) => table.replaceAll("_", " ")).join(", ")}): another import would lose that. Keep the server, or import into an empty data folder`,
  );
}

/** Deletes the rows of the import before. Object stores and files stay. */
export async function deleteImported(tx: Tx): Promise<void> {
  // Accounts and applications that every server has stay.
  const kept: Readonly<Record<string, string>> = { accounts: "id > 0", oauth2_applications: "account_id is not null" };
  for (const table of [...agingTables, ...Object.keys(importedTables)]) await deleteRows(tx, table as keyof Tables & string, kept[table]);
}

/** The stores of the repositories of the import before, and those that an interrupted one has created since. */
export function earlierStores(db: Db): EarlierStores {
  const keyOf = (repoId: number, kind: StoreKind): string => `${repoId} ${kind}`;
  const readCreated = async (reader: Reader): Promise<Record<string, number>> =>
    JSON.parse((await readServerValue(reader, storesName)) ?? "{}") as Record<string, number>;
  // The rows are read once, before they are deleted.
  let known: Promise<ReadonlyMap<string, number>> | undefined;
  const readStores = async (): Promise<ReadonlyMap<string, number>> => {
    const rows = await listStoresOfRepositories(db);
    const entries = rows.flatMap((row) => [
      [keyOf(row.id, "code"), row.codeStoreId] as const,
      ...(row.wikiStoreId === null ? [] : [[keyOf(row.id, "wiki"), row.wikiStoreId] as const]),
    ]);
    return new Map([...entries, ...Object.entries(await readCreated(db))]);
  };
  const created = new Map<string, number>();
  return {
    async find(repoId, kind, format) {
      known ??= readStores();
      const storeId = created.get(keyOf(repoId, kind)) ?? (await known).get(keyOf(repoId, kind));
      if (storeId === undefined) return undefined;
      return (await getStore(db, storeId))?.format === format ? storeId : undefined;
    },
    async keep(tx, repoId, kind, storeId) {
      created.set(keyOf(repoId, kind), storeId);
      await writeServerValue(tx, storesName, JSON.stringify({ ...(await readCreated(tx)), [keyOf(repoId, kind)]: storeId }));
    },
  };
}

/** Files that the import before has stored, by LFS id, UUID, or {@link artifactFileName}. */
export const keptFiles =
  (db: Reader) =>
  async (name: string): Promise<KeptFile | undefined> => {
    const [, id, updatedMs] = /^(\d+) (\d+)$/.exec(name) ?? [];
    if (id === undefined) return name.length === 64 ? findStoredFile(db, name) : findAttachedFile(db, name);
    const kept = await findArtifactFile(db, Number(id));
    return kept?.updatedMs === Number(updatedMs) ? kept : undefined;
  };
