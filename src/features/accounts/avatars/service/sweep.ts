import type { Clock } from "../../../../core/clock.ts";
import type { Reader } from "../../../../db/db.ts";
import type { FileStore } from "../../../../storage/files.ts";
import { findUsedAvatars, listAvatars } from "../store.ts";

/** An upload whose row is not written yet is younger. */
const orphanAgeMs = 86_400_000;
const pageSize = 500;

export interface SweepDeps {
  readonly db: Reader;
  readonly avatars: FileStore;
  readonly clock: Clock;
}

/** Those of the names that a row references. */
export const avatarsInUse = (db: Reader, names: readonly string[]): Promise<ReadonlySet<string>> => findUsedAvatars(db, names);

/** Checks that every referenced picture's file exists. @returns the number of pictures */
export async function checkAvatars({ db, avatars }: Pick<SweepDeps, "db" | "avatars">, say: (name: string, problem: string) => void): Promise<number> {
  let count = 0;
  for (let after = ""; ; ) {
    const names = await listAvatars(db, after, pageSize);
    for (const name of names) if ((await avatars.sizeOf(name)) === undefined) say(name, "its file is missing");
    count += names.length;
    if (names.length < pageSize) return count;
    after = names.at(-1) ?? after;
  }
}

/**
 * Deletes the files of pictures that no row references: of deleted accounts and repositories, and of interrupted uploads.
 * @returns the number of deleted files
 */
export const sweepAvatars = ({ db, avatars, clock }: SweepDeps): Promise<number> =>
  avatars.sweep(clock.now() - orphanAgeMs, (names) => avatarsInUse(db, names));
