import type { Config } from "../../../config/config.ts";
import type { Db } from "../../../db/db.ts";
import { beforeCommit, defineFeature, worksOn } from "../../../mount/feature.ts";
import { canSend, deliver } from "../../site/mail/smtp-transport.ts";
import { letterId } from "./emails.ts";
import { type ComposeDeps, composeEmail } from "./service/compose.ts";
import { fanOut, fanOutJob, rememberHookFailures, rememberMentions, rememberOffers, rememberReleases, writeJob } from "./service/fan-out.ts";

interface RepositoryMailDeps extends ComposeDeps {
  readonly db: Db;
  readonly config: Config;
}

export const repositoryMailFeature = defineFeature({
  name: "collaboration/repository-mail",
  isActive: canSend,
  inTransaction: [
    beforeCommit(["commit.mentioned"], rememberMentions),
    beforeCommit(["repo.transfer_requested"], rememberOffers),
    beforeCommit(["release.published"], rememberReleases),
    beforeCommit(["hook.failed"], rememberHookFailures),
  ],
  jobs: [
    worksOn(fanOutJob, fanOut),
    worksOn(writeJob, async (deps: RepositoryMailDeps, { payload }) => {
      const email = await composeEmail(deps, payload);
      if (email !== undefined) await deliver(deps.config, email, letterId(payload.news));
    }),
  ],
});
