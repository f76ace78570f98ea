import type { UserActor } from "../../../../access/actor.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import type { MigrationView } from "../progress.ts";
import { cancelOpen, deleteEndedBefore, endMigration, findMigration, pageMigrations } from "../store.ts";

/** How long finished migrations are listed. */
const keptMs = 7 * 86_400_000;

/** The migrations of an account, newest first. Two statements. */
export const listMigrations = (deps: { readonly db: Reader }, actor: UserActor, page: Page): Promise<Paged<MigrationView>> =>
  pageMigrations(deps.db, actor.id, page);

/** One statement. @throws ForgeError `not_found` */
export async function getMigration({ db }: { readonly db: Reader }, actor: UserActor, id: number): Promise<MigrationView> {
  const found = await findMigration(db, actor.id, id);
  if (found === undefined) throw notFound();
  return found;
}

/** Cancels a running migration; nothing of it remains. @throws ForgeError `not_found` */
export async function cancelMigration({ db }: { readonly db: Db }, actor: UserActor, id: number): Promise<void> {
  await db.tx(async (tx) => {
    const found = await cancelOpen(tx, actor.id, id);
    if (found === undefined) throw notFound();
    if (found.isRunning) return;
    await endMigration(tx, id, { state: "cancelled" });
    tx.announce("migrations", id);
  });
}

export const forgetEnded = ({ db }: { readonly db: Db }): Promise<void> => db.tx((tx) => deleteEndedBefore(tx, tx.nowMs - keptMs));
