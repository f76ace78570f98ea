import type { UserActor } from "../../../../access/actor.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { MigrationInput } from "../migration-input.ts";

/** The input of a queued migration, with the caller's authentication for later audit records. */
export interface SealedMigrationInput {
  readonly wish: MigrationInput;
  readonly caller: Pick<UserActor, "address" | "impersonator">;
}

interface SealDeps {
  readonly sealer: Sealer;
}

const purpose = "migration";

/** Sealed because it contains credentials. */
export const sealMigrationInput = ({ sealer }: SealDeps, kept: SealedMigrationInput): string => sealer.seal(purpose, JSON.stringify(kept));

/** Undefined if it was sealed with another key. */
export function openMigrationInput({ sealer }: SealDeps, sealed: string): SealedMigrationInput | undefined {
  const text = sealer.open(purpose, sealed);
  return text === undefined ? undefined : (JSON.parse(text) as SealedMigrationInput);
}
