import type { Config } from "../../../config/config.ts";
import type { Db } from "../../../db/db.ts";
import { inTransaction } from "../../../events/in-transaction.ts";
import type { JobQueue } from "../../../jobs/queue.ts";
import { canSend, deliver } from "../../site/mail/smtp-transport.ts";
import { letterId } from "./emails.ts";
import { type ComposeDeps, composeEmail } from "./service/compose.ts";
import { fanOut, fanOutJob, notifiedEventTypes, rememberNews, writeJob } from "./service/fan-out.ts";

export interface IssueMailDeps extends ComposeDeps {
  readonly db: Db;
  readonly config: Config;
}

/** From here on whoever follows an issue gets letters about it, where letters can be sent. */
export function sendIssueMail(jobs: JobQueue, deps: IssueMailDeps): void {
  const { db, config } = deps;
  if (!canSend(config)) return;
  inTransaction(db, notifiedEventTypes, rememberNews);
  jobs.handle(fanOutJob, (run) => fanOut(deps, run));
  jobs.handle(writeJob, async ({ payload }) => {
    const letter = await composeEmail(deps, payload);
    if (letter !== undefined) await deliver(config, letter, letterId(payload.news));
  });
}
