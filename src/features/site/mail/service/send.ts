import { randomUUID } from "node:crypto";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Tx } from "../../../../db/db.ts";
import { defineJob, enqueue } from "../../../../jobs/job.ts";
import type { Letter } from "../letter.ts";

/** A letter waits sealed: what it says may open an account. */
interface SealedLetter {
  readonly id: string;
  readonly sealed: string;
}

/** Tried for some two days: mail servers come back. */
export const sendLetterJob = defineJob<SealedLetter>("mail.send", { maxAttempts: 16, firstRetryMs: 30_000, maxRetryMs: 6 * 3_600_000 });

const purposeOf = (id: string): string => `letter ${id}`;

/** Sends a letter when the transaction is durable, and not without it. */
export async function sendLetter(tx: Tx, sealer: Sealer, letter: Letter): Promise<void> {
  const id = randomUUID();
  await enqueue(tx, sendLetterJob, { id, sealed: sealer.seal(purposeOf(id), JSON.stringify(letter)) });
}

/** Undefined where the key is not the one that it was sealed with. */
export function openLetter(sealer: Sealer, { id, sealed }: SealedLetter): Letter | undefined {
  const text = sealer.open(purposeOf(id), sealed);
  return text === undefined ? undefined : (JSON.parse(text) as Letter);
}
