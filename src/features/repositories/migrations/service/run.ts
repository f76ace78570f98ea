import type { UserActor } from "../../../../access/actor.ts";
import { allScopes } from "../../../../access/scopes.ts";
import type { Config } from "../../../../config/config.ts";
import { conflict, type ForgeError, forbidden, isForgeError, unavailable } from "../../../../core/errors.ts";
import type { MigrationFailure } from "../../../../core/failures.ts";
import type { Log } from "../../../../core/log.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Tx } from "../../../../db/db.ts";
import { defineJob } from "../../../../jobs/job.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import { findActor } from "../../../accounts/users/service/durable-actor.ts";
import { isNameTaken, nameTaken } from "../../repos/service/insert.ts";
import type { MigrationEnd } from "../progress.ts";
import { endMigration, findOpen, type OpenMigration } from "../store.ts";
import { type BringDeps, bring } from "./bring.ts";
import { failureOf } from "./failure.ts";
import { type MigrationProgress, startProgressReporting } from "./migration-progress.ts";
import { explain, makePlan, type PlanDeps } from "./plan.ts";
import { openMigrationInput, type SealedMigrationInput } from "./sealed-input.ts";
import { insertMigrated } from "./write.ts";

export interface RunDeps extends BringDeps, PlanDeps {
  readonly db: BringDeps["db"];
  readonly config: Pick<Config, "actions" | "attachments" | "git" | "lfs" | "limits" | "mirror" | "repositories">;
  readonly urls: Urls;
  readonly sealer: Sealer;
  readonly log: Log;
}

interface MigrateRun {
  readonly migrationId: number;
}

const maxTries = 3;

/** Runs a migration. One more run after the last attempt records the failure. */
export const migrateJob = defineJob<MigrateRun>("migrations.run", { maxAttempts: maxTries + 1, firstRetryMs: 5_000 });

/**
 * Runs a migration. Errors of the source and rejected contents end it; errors of this server are retried. After a restart of the server,
 * another run continues.
 */
export async function runMigration(deps: RunDeps, run: JobRun<MigrateRun>): Promise<void> {
  const migration = await findOpen(deps.db, run.payload.migrationId);
  if (migration === undefined) return;
  const end =
    run.attempt > maxTries
      ? failed(unavailable("the server stopped during each attempt"), { code: "server_stopped" })
      : await tryMigration(deps, run, migration);
  if (end !== "written") await run.tx((tx) => finish(tx, migration.id, end));
}

const failed = ({ code, message }: ForgeError, failure: MigrationFailure | undefined): MigrationEnd => ({ state: "failed", code, error: message, failure });

/** @returns the result; `written` if it was recorded together with the repository. @throws errors that are worth a retry */
async function tryMigration(deps: RunDeps, run: JobRun<MigrateRun>, migration: OpenMigration): Promise<MigrationEnd | "written"> {
  if (migration.isCancelled) return { state: "cancelled" };
  const kept = openMigrationInput(deps, migration.sealedInput);
  if (kept === undefined)
    return failed(unavailable("the credentials were encrypted with another key: start the migration again"), { code: "credentials_unreadable" });
  await using reporting = await startProgressReporting(run, deps.log, migration);
  try {
    await migrate(deps, run, { migration, kept, reporting });
    return "written";
  } catch (error) {
    if (reporting.isCancelled) return { state: "cancelled" };
    if (run.signal.aborted) throw error;
    const problem = isNameTaken(error) ? nameTaken() : explain(error);
    if (isForgeError(problem) && problem.code !== "unavailable") return failed(problem, failureOf(isNameTaken(error) ? problem : error));
    if (run.attempt < maxTries) throw error;
    deps.log.error({ err: error, migration: migration.id }, "a migration failed for the last time");
    return failed(unavailable("the server could not store the repository"), { code: "server_error" });
  }
}

interface Attempt {
  readonly migration: OpenMigration;
  readonly kept: SealedMigrationInput;
  readonly reporting: MigrationProgress;
}

async function migrate(deps: RunDeps, run: JobRun<MigrateRun>, { migration, kept, reporting }: Attempt): Promise<void> {
  const actor = await callerOf(deps, migration, kept);
  // Permissions can have changed since the request, and the owner can have been renamed.
  const plan = await makePlan(deps, actor, { ...kept.wish, ownerName: "", ownerId: migration.ownerId });
  const brought = await bring(deps, plan, migration, reporting);
  reporting.progress.phase = "writing";
  await run.tx(async (tx) => {
    const repoId = await insertMigrated(tx, deps, actor, plan, brought);
    if (!(await finish(tx, migration.id, { state: "done", repoId }))) throw conflict("the migration was cancelled");
  });
}

/** The present state of the user who requested the migration. @throws ForgeError `forbidden` if the account can no longer act */
async function callerOf(deps: RunDeps, { accountId }: OpenMigration, { caller }: SealedMigrationInput): Promise<UserActor> {
  const actor = await findActor(deps, accountId, { kind: "system", scopes: allScopes, isBasic: false });
  if (actor === undefined) throw forbidden("the account has been deleted");
  return { ...actor, ...caller };
}

/** @returns false if the migration was cancelled before its end */
async function finish(tx: Tx, id: number, end: MigrationEnd): Promise<boolean> {
  const hasEnded = await endMigration(tx, id, end);
  tx.announce("migrations", id);
  return hasEnded;
}
