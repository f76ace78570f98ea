import type { Reader } from "../../../db/db.ts";
import { findUsedFiles } from "../store/objects.ts";
import type { LfsDeps } from "./deps.ts";

/** An upload whose row is not yet written is younger. */
const orphanAgeMs = 86_400_000;

/** Those of the store's files that an object has. */
export const lfsFilesInUse = (db: Reader, files: readonly string[]): Promise<ReadonlySet<string>> => findUsedFiles(db, files);

/** Takes contents off the disk that no row names: of purged repositories, and of uploads that broke off. @returns how many went */
export const sweepLfsFiles = ({ db, lfsFiles, clock }: Pick<LfsDeps, "db" | "lfsFiles" | "clock">): Promise<number> =>
  lfsFiles.sweep(clock.now() - orphanAgeMs, (files) => lfsFilesInUse(db, files));
