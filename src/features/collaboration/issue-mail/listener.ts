import type { Config } from "../../../config/config.ts";
import type { Db } from "../../../db/db.ts";
import { inTransaction } from "../../../events/in-transaction.ts";
import type { JobQueue } from "../../../jobs/queue.ts";
import { canSend, deliver } from "../../site/mail/postman.ts";
import { letterId } from "./letters.ts";
import { type ComposeDeps, composeLetter } from "./service/compose.ts";
import { rememberNews, spreadJob, spreadNews, toldTypes, writeJob } from "./service/spread.ts";

export interface IssueMailDeps extends ComposeDeps {
  readonly db: Db;
  readonly config: Config;
}

/** From here on whoever follows an issue gets letters about it, where letters can be sent. */
export function sendIssueMail(jobs: JobQueue, deps: IssueMailDeps): void {
  const { db, config } = deps;
  if (!canSend(config)) return;
  inTransaction(db, toldTypes, rememberNews);
  jobs.handle(spreadJob, (run) => spreadNews(deps, run));
  jobs.handle(writeJob, async ({ payload }) => {
    const letter = await composeLetter(deps, payload);
    if (letter !== undefined) await deliver(config, letter, letterId(payload.news));
  });
}
