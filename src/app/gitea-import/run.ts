import { randomBytes } from "node:crypto";
import { type Config, ConfigError } from "../../config/config.ts";
import { isPostgresUrl } from "../../config/postgres-url.ts";
import { unavailable } from "../../core/errors.ts";
import { createSealer } from "../../core/sealer.ts";
import type { Tx } from "../../db/db.ts";
import { isMysqlUrl } from "../../db/foreign-mysql.ts";
import { continueIds } from "../../db/next-ids.ts";
import { type Batch, newBatch } from "../../db/row-batch.ts";
import { beginTrial, endTrial } from "../../db/trial.ts";
import { storageError } from "../../git/objects/durable-fs.ts";
import { type FileStores, openFileStores } from "../../storage/open.ts";
import { makeDataDirectory } from "../data-directory.ts";
import { openConfiguredDatabase } from "../database.ts";
import { createLog } from "../log.ts";
import { limitHeapGrowth } from "../process-memory.ts";
import { loadSecretKey } from "../secret-key.ts";
import { openStores } from "../stores.ts";
import { addCounters, addPictures, convertAccounts } from "./accounts.ts";
import { addActionValues } from "./action-values.ts";
import { addActivities } from "./activities.ts";
import { deleteImported, earlierStores, keepImported, keptFiles, wasImported } from "./again.ts";
import { type GiteaPlaces, placesIn, readPlaces } from "./app-ini.ts";
import type { Conversion } from "./context.ts";
import { convertCredentials } from "./credentials.ts";
import { fileCopier } from "./files.ts";
import type { GitTarget } from "./git-content.ts";
import { addHooks } from "./hooks.ts";
import { bringRepository, importRepository } from "./import-repositories.ts";
import { addIssueLinks, findBrokenIssues } from "./issue-links.ts";
import { convertOrgLabels } from "./labels-and-milestones.ts";
import { convertOrganizations } from "./organizations.ts";
import { beginImport, endImport, keepProgress, keepServersAway, type Progress, remaining } from "./progress.ts";
import { planTagRules } from "./protections.ts";
import { newReport } from "./report.ts";
import { planRepositories } from "./repositories.ts";
import { convertRedirects, convertTopics, type Known } from "./repository-relations.ts";
import { convertRunners } from "./runners.ts";
import { openSource } from "./source.ts";
import { addNotifications, addStatuses } from "./work-data.ts";
import { noWrites, openWrites, type Writes } from "./writes.ts";

/** Options of `hearth import gitea`, as typed. */
export interface TypedImportOptions {
  readonly config?: string;
  readonly database?: string;
  readonly repositories?: string;
  readonly data?: string;
  readonly "dry-run"?: boolean;
  readonly final?: boolean;
}

/** @throws ConfigError unless the options name a database and the folders */
export function placesOf(options: TypedImportOptions): GiteaPlaces {
  const { config, database, repositories, data } = options;
  if (config === undefined && (database === undefined || data === undefined))
    throw new ConfigError("usage: import gitea --config app.ini, or --database sqlite:PATH|postgres://...|mysql://... --data DIR [--repositories DIR]");
  if (database !== undefined && !isPostgresUrl(database) && !isMysqlUrl(database) && !/^sqlite:./.test(database))
    throw new ConfigError(
      `--database must be sqlite:PATH, postgres://user:password@host/name or mysql://user:password@host/name, not ${JSON.stringify(database)}`,
    );
  const read = config === undefined ? { database: "", schema: "" } : readPlaces(config);
  return {
    ...(data === undefined ? {} : placesIn(data)),
    ...read,
    ...(config !== undefined &&
      data !== undefined && { ...placesIn(data), secretKey: (read as GiteaPlaces).secretKey, registersUsers: (read as GiteaPlaces).registersUsers }),
    ...(database !== undefined && { database, schema: "" }),
    ...(repositories !== undefined && { repositories }),
  } as GiteaPlaces;
}

/**
 * `hearth import gitea`: fills an empty server from a Gitea, which it only reads. An import that was interrupted continues, and another one
 * brings the changes since.
 * @returns the exit code
 * @throws ConfigError, ForgeError `unavailable`
 */
export async function importGitea(config: Config, options: TypedImportOptions, print: (text: string) => number): Promise<number> {
  limitHeapGrowth(heapGrowthPercent);
  const source = await openSource(placesOf(options));
  const report = newReport();
  try {
    if (options["dry-run"] === true) {
      // Secrets are sealed with a key that is forgotten, because a dry run writes nothing.
      await runPhases({ source, report, sealer: createSealer(randomBytes(32)) }, undefined);
    } else {
      await importInto(config, { source, report }, options.final === true);
    }
  } catch (error) {
    throw storageError(error);
  } finally {
    await source.database.close();
  }
  print(
    report
      .lines()
      .map((line) => `${line}\n`)
      .join(""),
  );
  print(options["dry-run"] === true ? "nothing was changed\n" : options.final === true ? completed : completedForTrial);
  return 0;
}

/** Rows live shorter than V8 expects: without this limit, an import of 10,000 repositories takes 370 MiB instead of 260. */
const heapGrowthPercent = 30;

const completed = "the import is complete: start the server\n";
const completedForTrial =
  "the import is complete: start the server. Mirrors and scheduled workflows wait until another import with --final, or `hearth admin end-trial`\n";

async function importInto(config: Config, conversion: Omit<Conversion, "sealer">, isFinal: boolean): Promise<void> {
  makeDataDirectory(config.dataDirectory);
  const log = createLog("warn");
  await using opened = new AsyncDisposableStack();
  const db = opened.adopt(await openConfiguredDatabase(config, { log }), (database) => database.close());
  const presence = opened.adopt(await db.join(), (joined) => joined.close());
  await keepServersAway(db, presence);
  const progress = await beginImport(db, { dataDirectory: config.dataDirectory, source: withoutPassword(conversion.source.places.database) });
  const stores = openFileStores(config);
  const { git } = await openStores(config, { db, fileStores: stores, log });
  opened.defer(() => git.close());
  const requireAlone = (): void => {
    if (!presence.isHeld()) throw unavailable("the connection to the database was lost for a moment, in which a server may have started: run the import again");
  };
  const target = { dataDirectory: config.dataDirectory, db, git, stores, progress, requireAlone, isFinal };
  await runPhases({ ...conversion, sealer: createSealer(loadSecretKey(config)) }, target);
}

const withoutPassword = (url: string): string => url.replace(/^((?:postgres(?:ql)?|mysql):\/\/[^:@/]*):[^@/]*@/, "$1@");

interface Target extends GitTarget {
  readonly dataDirectory: string;
  /** @throws ForgeError `unavailable` if servers may have started since the begin of the import */
  readonly requireAlone: () => void;
  readonly stores: FileStores;
  readonly progress: Progress;
  /** Otherwise the server begins with a trial. */
  readonly isFinal: boolean;
}

/** In the order in which they are written. Accounts are one transaction, the others one for each repository. */
const phases = ["accounts", "repositories"] as const;

/** Converts everything, and writes what the target does not have yet. @param target undefined for a dry run */
async function runPhases(conversion: Conversion, target: Target | undefined): Promise<void> {
  const isAgain = target?.progress.isAgain === true;
  const copier = fileCopier(target?.stores, isAgain ? keptFiles(target.db) : undefined);
  const accounts = await convertAccounts(conversion);
  const plans = await planRepositories(conversion, accounts);
  const organizations = await convertOrganizations(conversion, accounts);
  const credentials = await convertCredentials(conversion, accounts);
  const repositories = new Set(plans.map(({ id }) => id));
  const runners = await convertRunners(conversion, accounts, repositories);
  const topics = await convertTopics(conversion, plans);
  const labels = newBatch();
  const orgLabels = await convertOrgLabels(conversion, accounts, labels);
  const broken = await findBrokenIssues(conversion, repositories);
  await addCounters(conversion, accounts, plans);
  const addAccounts = (writes: Writes): void => {
    for (const batch of [accounts.batch, organizations.batch, credentials, topics, labels, runners.batch]) writes.rows(batch);
  };
  if (target === undefined || target.progress.phase === "") await addPictures(conversion, accounts, copier);
  if (target?.progress.phase === "" && !isAgain) {
    using writes = openWrites(target.dataDirectory);
    addAccounts(writes);
    await target.db.tx(async (tx) => {
      await writes.run(tx);
      await keepProgress(tx, { ...target.progress, phase: "accounts" });
    });
  }
  const idsIn = (batch: Batch, table: "public_keys" | "topics", filter: (row: { id: number; account_id?: number | null }) => boolean) =>
    new Set((batch.tables.get(table) ?? []).flatMap((row) => (filter(row as { id: number }) ? (row as { id: number }).id : [])));
  const known: Known = {
    accounts,
    teams: organizations.teamsWithList,
    allTeams: organizations.teams,
    deployKeys: idsIn(credentials, "public_keys", (row) => row.account_id === null),
    topics: idsIn(topics, "topics", () => true),
    repositories,
    repositoryIds: new Map(plans.map(({ id, shownAs }) => [shownAs.toLowerCase(), id])),
    orgLabels,
    ...broken,
  };
  const input = { known, copier, runners, tagRuleIds: await planTagRules(conversion) };
  const redirects = await convertRedirects(conversion, plans);
  const addOthers = async (writes: Writes): Promise<void> => {
    writes.rows(redirects);
    await addIssueLinks(conversion, known, writes);
    await addNotifications(conversion, known, writes);
    await addStatuses(conversion, known, writes);
    await addHooks(conversion, known, writes);
    await addActionValues(conversion, known, writes);
    await addActivities(conversion, known, writes);
  };
  const finish = async (tx: Tx, { progress, isFinal }: Target): Promise<void> => {
    await continueIds(tx);
    await keepImported(tx, progress.source);
    await (isFinal ? endTrial(tx) : beginTrial(tx));
    await endImport(tx);
  };
  if (target !== undefined && isAgain) {
    const again = { ...target, earlier: earlierStores(target.db) };
    using writes = openWrites(target.dataDirectory);
    addAccounts(writes);
    for (const plan of plans) await bringRepository(conversion, plan, input, { target: again, writes });
    await addOthers(writes);
    target.requireAlone();
    await target.db.tx(async (tx) => {
      // Commands of administrators may have changed the server since the begin of the import.
      await wasImported(tx, target.progress.source);
      await deleteImported(tx);
      await writes.run(tx);
      await finish(tx, target);
    });
    return;
  }
  const left = target === undefined ? plans : remaining(target.progress, phases, "repositories", plans);
  for (const plan of left) await importRepository(conversion, plan, input, target);
  if (target === undefined) return addOthers(noWrites);
  using writes = openWrites(target.dataDirectory);
  await addOthers(writes);
  await target.db.tx(async (tx) => {
    await writes.run(tx);
    await finish(tx, target);
  });
}
