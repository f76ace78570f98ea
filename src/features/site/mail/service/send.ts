import { randomUUID } from "node:crypto";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Tx } from "../../../../db/db.ts";
import { defineJob, enqueue } from "../../../../jobs/job.ts";
import type { EmailMessage } from "../email.ts";

/** An email is sealed while it waits, because it may contain a code that opens an account. */
interface SealedEmail {
  readonly id: string;
  readonly sealed: string;
}

/** Retries for about two days, because mail servers come back. */
export const sendEmailJob = defineJob<SealedEmail>("mail.send", { maxAttempts: 16, firstRetryMs: 30_000, maxRetryMs: 6 * 3_600_000 });

const purposeOf = (id: string): string => `letter ${id}`;

/** Sends an email after the transaction commits, and not if it rolls back. */
export async function sendEmail(tx: Tx, sealer: Sealer, email: EmailMessage): Promise<void> {
  const id = randomUUID();
  await enqueue(tx, sendEmailJob, { id, sealed: sealer.seal(purposeOf(id), JSON.stringify(email)) });
}

/** Undefined if it was sealed with another key. */
export function openEmail(sealer: Sealer, { id, sealed }: SealedEmail): EmailMessage | undefined {
  const text = sealer.open(purposeOf(id), sealed);
  return text === undefined ? undefined : (JSON.parse(text) as EmailMessage);
}
