import { randomUUID } from "node:crypto";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Tx } from "../../../../db/db.ts";
import { defineJob, enqueue } from "../../../../jobs/job.ts";
import type { EmailMessage } from "../email.ts";

/** A letter waits sealed: what it says may open an account. */
interface SealedEmail {
  readonly id: string;
  readonly sealed: string;
}

/** Tried for some two days: mail servers come back. */
export const sendEmailJob = defineJob<SealedEmail>("mail.send", { maxAttempts: 16, firstRetryMs: 30_000, maxRetryMs: 6 * 3_600_000 });

const purposeOf = (id: string): string => `letter ${id}`;

/** Sends a letter when the transaction is durable, and not without it. */
export async function sendEmail(tx: Tx, sealer: Sealer, letter: EmailMessage): Promise<void> {
  const id = randomUUID();
  await enqueue(tx, sendEmailJob, { id, sealed: sealer.seal(purposeOf(id), JSON.stringify(letter)) });
}

/** Undefined where the key is not the one that it was sealed with. */
export function openEmail(sealer: Sealer, { id, sealed }: SealedEmail): EmailMessage | undefined {
  const text = sealer.open(purposeOf(id), sealed);
  return text === undefined ? undefined : (JSON.parse(text) as EmailMessage);
}
