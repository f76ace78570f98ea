import type { Config } from "../../../config/config.ts";
import type { Db } from "../../../db/db.ts";
import { inTransaction } from "../../../events/in-transaction.ts";
import type { JobQueue } from "../../../jobs/queue.ts";
import { canSend, deliver } from "../../site/mail/postman.ts";
import { letterId } from "./letters.ts";
import { type ComposeDeps, composeLetter } from "./service/compose.ts";
import { rememberHookFailures, rememberMentions, rememberOffers, spreadJob, spreadNews, writeJob } from "./service/spread.ts";

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
  jobs.handle(spreadJob, (run) => spreadNews(deps, run));
  jobs.handle(writeJob, async ({ payload }) => {
    const letter = await composeLetter(deps, payload);
    if (letter !== undefined) await deliver(config, letter, letterId(payload.news));
  });
}
