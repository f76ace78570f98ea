import type { Config } from "../../../config/config.ts";
import { afterCommit, defineFeature, worksOn } from "../../../mount/feature.ts";
import { canSend } from "../../site/mail/smtp-transport.ts";
import { recoveryRoutes } from "./api.ts";
import { writeToUnverified } from "./service/addresses.ts";
import { pruneCodes } from "./service/codes.ts";
import { forgottenPasswordJob, type RecoveryDeps, writeAboutPassword } from "./service/passwords.ts";
import { recoveryPages } from "./web.tsx";

const dayMs = 86_400_000;

export const recoveryFeature = defineFeature({
  name: "accounts/recovery",
  routes: [recoveryRoutes, recoveryPages],
  afterCommit: [
    // An email that is sent twice has a new link, and only the last link works.
    afterCommit("recovery: new addresses", ["email.added"], async (deps: RecoveryDeps & { readonly config: Config }, { payload }) => {
      if (canSend(deps.config)) await writeToUnverified(deps, { id: payload.accountId, name: payload.name }, payload.emails);
    }),
  ],
  jobs: [worksOn(forgottenPasswordJob, (deps: RecoveryDeps, { payload }) => writeAboutPassword(deps, payload.email, payload.language))],
  schedules: [{ name: "sweep_recovery_codes", everyMs: dayMs, offsetMs: dayMs / 12, run: pruneCodes }],
});
