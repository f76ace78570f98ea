import type { Clock } from "../../../core/clock.ts";
import type { Reader } from "../../../db/db.ts";
import type { FileStore } from "../../../storage/files.ts";
import { findUsedAvatars } from "../store.ts";

/** An upload whose row is not yet written is younger. */
const orphanAgeMs = 86_400_000;

export interface SweepDeps {
  readonly db: Reader;
  readonly avatars: FileStore;
  readonly clock: Clock;
}

/** Takes pictures off the disk that no row names: of deleted accounts and repositories, and of uploads that broke off. @returns how many went */
export const sweepAvatars = ({ db, avatars, clock }: SweepDeps): Promise<number> =>
  avatars.sweep(clock.now() - orphanAgeMs, (names) => findUsedAvatars(db, names));
