import { setTimeout as sleep } from "node:timers/promises";
import type { UserActor } from "../../../../access/actor.ts";
import { conflict, ForgeError, notFound, throttled, unavailable } from "../../../../core/errors.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Db } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { enqueue } from "../../../../jobs/job.ts";
import type { RepositoryView } from "../../repos/model.ts";
import { getRepository } from "../../repos/service/loaders.ts";
import type { MigrationInput } from "../migration-input.ts";
import { countOpen, findEnd, insertMigration, type KnownEnd, openKey } from "../store.ts";
import { makePlan, type PlanDeps } from "./plan.ts";
import { migrateJob } from "./run.ts";
import { sealMigrationInput } from "./sealed-input.ts";

export interface MigrateDeps extends PlanDeps {
  readonly db: Db;
  readonly sealer: Sealer;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** Maximum number of unfinished migrations per account. */
const maxOpen = 20;
const retryAfterSeconds = 60;
/** Polling interval, because another process can run the migration without a notification here. */
const lookEveryMs = 2_000;

/**
 * Migrates a repository from another server and waits for the result. The migration continues if the caller disconnects or the server restarts.
 * Operation `repoMigrate`.
 * @throws ForgeError `invalid` for an invalid source, `conflict` for a name in use, `forbidden`, `throttled` for too many unfinished migrations
 */
export async function migrateRepository(deps: MigrateDeps, actor: UserActor, input: MigrationInput, signal: AbortSignal): Promise<RepositoryView> {
  const id = await startMigration(deps, actor, input);
  const end = await waitForEnd(deps, id, AbortSignal.any([signal, deps.stopping]));
  switch (end.state) {
    case "done":
      return getRepository(deps, actor, end.repoId);
    case "failed":
      throw new ForgeError(end.code, end.error);
    case "cancelled":
      throw conflict("the migration was cancelled");
  }
}

/**
 * Starts a migration, which continues as a job.
 * @returns its id
 * @throws ForgeError as {@link migrateRepository}
 */
export async function startMigration(deps: Omit<MigrateDeps, "stopping">, actor: UserActor, input: MigrationInput): Promise<number> {
  const { owner, from } = await makePlan(deps, actor, input);
  const caller = { ...(actor.address !== undefined && { address: actor.address }), ...(actor.impersonator && { impersonator: actor.impersonator }) };
  const sealed = sealMigrationInput(deps, { wish: input, caller });
  const fullName = `${owner.name}/${input.name}`;
  const migration = { accountId: actor.id, ownerId: owner.id, name: input.name, fullName, address: from.url.href, sealedInput: sealed };
  try {
    return await deps.db.tx(async (tx) => {
      if ((await countOpen(tx, actor.id)) >= maxOpen) {
        throw throttled(`at most ${maxOpen} migrations of one account are under way at once`, { retryAfter: retryAfterSeconds, reason: "too_many_migrations" });
      }
      const id = await insertMigration(tx, migration);
      await enqueue(tx, migrateJob, { migrationId: id });
      return id;
    });
  } catch (error) {
    throw isUniqueViolation(error, openKey) ? conflict(`a migration to ${fullName} is under way`, { reason: "migration_open" }) : error;
  }
}

async function waitForEnd({ db }: Pick<MigrateDeps, "db">, id: number, leaving: AbortSignal): Promise<KnownEnd> {
  while (!leaving.aborted) {
    const news = new AbortController();
    // Listens before the first check, so that no notification is missed.
    const stopListening = db.listen("migrations", (ended) => {
      if (ended === id) news.abort();
    });
    try {
      const end = await findEnd(db, id);
      if (end === undefined) throw notFound();
      if (end !== "open") return end;
      await sleep(lookEveryMs, undefined, { signal: AbortSignal.any([news.signal, leaving]) }).catch(() => {});
    } finally {
      stopListening();
    }
  }
  throw unavailable("the migration goes on: see what becomes of it among your migrations");
}
