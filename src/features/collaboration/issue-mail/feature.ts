import type { Config } from "../../../config/config.ts";
import type { Db } from "../../../db/db.ts";
import { beforeCommit, defineFeature, worksOn } from "../../../mount/feature.ts";
import { canSend, deliver } from "../../site/mail/smtp-transport.ts";
import { letterId } from "./emails.ts";
import { type ComposeDeps, composeEmail } from "./service/compose.ts";
import { fanOut, fanOutJob, notifiedEventTypes, rememberNews, writeJob } from "./service/fan-out.ts";
import { unsubscribePages } from "./web.tsx";

interface IssueMailDeps extends ComposeDeps {
  readonly db: Db;
  readonly config: Config;
}

export const issueMailFeature = defineFeature({
  name: "collaboration/issue-mail",
  routes: [unsubscribePages],
  isActive: canSend,
  inTransaction: [beforeCommit(notifiedEventTypes, rememberNews)],
  jobs: [
    worksOn(fanOutJob, fanOut),
    worksOn(writeJob, async (deps: IssueMailDeps, { payload }) => {
      const email = await composeEmail(deps, payload);
      if (email !== undefined) await deliver(deps.config, email, letterId(payload.news));
    }),
  ],
});
