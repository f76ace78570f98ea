import type { Config } from "../../../config/config.ts";
import type { Log } from "../../../core/log.ts";
import type { Sealer } from "../../../core/sealer.ts";
import type { JobQueue } from "../../../jobs/queue.ts";
import { openEmail, sendEmailJob } from "./service/send.ts";
import { canSend, deliver } from "./smtp-transport.ts";

export interface MailDeps {
  readonly config: Config;
  readonly sealer: Sealer;
  readonly log: Log;
}

/** Takes letters to the mail server. Where there is none they wait for the one that is configured. */
export function handleMailJobs(jobs: JobQueue, deps: MailDeps): void {
  if (!canSend(deps.config)) return;
  jobs.handle(sendEmailJob, async ({ payload }) => {
    const letter = openEmail(deps.sealer, payload);
    if (letter === undefined) {
      deps.log.error({ letter: payload.id }, "a letter cannot be opened with this server's key, and is dropped");
      return;
    }
    await deliver(deps.config, letter, payload.id);
  });
}
