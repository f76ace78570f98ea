import type { UserActor } from "../../../../access/actor.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { MigrationInput } from "../migration-input.ts";

/** A wish as it waits for its worker, with how whoever has it came in: what is recorded later is recorded as his. */
export interface SealedMigrationInput {
  readonly wish: MigrationInput;
  readonly caller: Pick<UserActor, "address" | "impersonator">;
}

interface SealDeps {
  readonly sealer: Sealer;
}

const purpose = "migration";

/** It holds what signs in elsewhere. */
export const sealMigrationInput = ({ sealer }: SealDeps, kept: SealedMigrationInput): string => sealer.seal(purpose, JSON.stringify(kept));

/** Undefined for what was sealed with another key. */
export function openMigrationInput({ sealer }: SealDeps, sealed: string): SealedMigrationInput | undefined {
  const text = sealer.open(purpose, sealed);
  return text === undefined ? undefined : (JSON.parse(text) as SealedMigrationInput);
}
