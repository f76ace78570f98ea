import { findUsedFiles } from "../store/objects.ts";
import type { LfsDeps } from "./deps.ts";

/** An upload whose row is not yet written is younger. */
const orphanAgeMs = 86_400_000;

/** Takes contents off the disk that no row names: of purged repositories, and of uploads that broke off. @returns how many went */
export const sweepLfsFiles = ({ db, lfsFiles, clock }: Pick<LfsDeps, "db" | "lfsFiles" | "clock">): Promise<number> =>
  lfsFiles.sweep(clock.now() - orphanAgeMs, (files) => findUsedFiles(db, files));
