import type { Clock } from "../../../../core/clock.ts";
import type { Reader } from "../../../../db/db.ts";
import type { FileStore } from "../../../../storage/files.ts";
import { findUsedAvatars, listAvatars } from "../store.ts";

/** An upload whose row is not yet written is younger. */
const orphanAgeMs = 86_400_000;
const pageSize = 500;

export interface SweepDeps {
  readonly db: Reader;
  readonly avatars: FileStore;
  readonly clock: Clock;
}

/** Those of some names that a row has. */
export const avatarsInUse = (db: Reader, names: readonly string[]): Promise<ReadonlySet<string>> => findUsedAvatars(db, names);

/** Looks whether every picture that a row names is there. @returns how many there are */
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

/** Takes pictures off the disk that no row names: of deleted accounts and repositories, and of uploads that broke off. @returns how many went */
export const sweepAvatars = ({ db, avatars, clock }: SweepDeps): Promise<number> =>
  avatars.sweep(clock.now() - orphanAgeMs, (names) => avatarsInUse(db, names));
