import type { Config } from "../../../config/config.ts";
import type { Log } from "../../../core/log.ts";
import type { Sealer } from "../../../core/sealer.ts";
import { defineFeature, worksOn } from "../../../mount/feature.ts";
import { openEmail, sendEmailJob } from "./service/send.ts";
import { canSend, deliver } from "./smtp-transport.ts";

interface MailDeps {
  readonly config: Config;
  readonly sealer: Sealer;
  readonly log: Log;
}

export const mailFeature = defineFeature({
  name: "site/mail",
  isActive: canSend,
  jobs: [
    worksOn(sendEmailJob, async (deps: MailDeps, { payload }) => {
      const email = openEmail(deps.sealer, payload);
      if (email === undefined) {
        deps.log.error({ email: payload.id }, "an email cannot be decrypted with this server's key and is dropped");
        return;
      }
      await deliver(deps.config, email, payload.id);
    }),
  ],
});
