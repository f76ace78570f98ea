import type { Clock } from "../../../../core/clock.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import type { FileStore } from "../../../../storage/files.ts";
import { countUnswept, sweepUnused } from "../../../../storage/unused-files.ts";
import { findUsedAvatars, listAvatars } from "../store.ts";

const pageSize = 500;

interface ReadDeps {
  readonly db: Reader;
  readonly avatars: FileStore;
}

export interface SweepDeps {
  readonly db: Db;
  readonly avatars: FileStore;
  readonly clock: Clock;
}

/** Checks that every referenced picture's file exists. @returns the number of pictures */
export async function checkAvatars({ db, avatars }: ReadDeps, say: (name: string, problem: string) => void): Promise<number> {
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
 * Deletes the files of pictures that no row has referenced for days: replaced ones, those of deleted accounts and repositories, and those of
 * interrupted uploads.
 * @returns the number of deleted files
 */
export const sweepAvatars = ({ db, avatars, clock }: SweepDeps): Promise<number> =>
  sweepUnused({ db, files: avatars, clock }, (names) => findUsedAvatars(db, names));

/** The number of files that the sweeps should have deleted. */
export const countUnsweptAvatars = ({ db, avatars }: ReadDeps): Promise<number> =>
  countUnswept({ db, files: avatars, nowMs: Date.now() }, (names) => findUsedAvatars(db, names));
