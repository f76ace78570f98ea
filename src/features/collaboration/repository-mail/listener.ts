import type { Config } from "../../../config/config.ts";
import type { Db } from "../../../db/db.ts";
import { inTransaction } from "../../../events/in-transaction.ts";
import type { JobQueue } from "../../../jobs/queue.ts";
import { canSend, deliver } from "../../site/mail/smtp-transport.ts";
import { letterId } from "./emails.ts";
import { type ComposeDeps, composeEmail } from "./service/compose.ts";
import { fanOut, fanOutJob, rememberHookFailures, rememberMentions, rememberOffers, writeJob } from "./service/fan-out.ts";

export interface RepositoryMailDeps extends ComposeDeps {
  readonly db: Db;
  readonly config: Config;
}

/** From here on commits that name people, offers of repositories and webhooks that fail are told by mail, where letters can be sent. */
export function sendRepositoryMail(jobs: JobQueue, deps: RepositoryMailDeps): void {
  const { db, config } = deps;
  if (!canSend(config)) return;
  inTransaction(db, ["commit.mentioned"], rememberMentions);
  inTransaction(db, ["repo.transfer_requested"], rememberOffers);
  inTransaction(db, ["hook.failed"], rememberHookFailures);
  jobs.handle(fanOutJob, (run) => fanOut(deps, run));
  jobs.handle(writeJob, async ({ payload }) => {
    const letter = await composeEmail(deps, payload);
    if (letter !== undefined) await deliver(config, letter, letterId(payload.news));
  });
}
