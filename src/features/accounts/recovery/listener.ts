import type { Config } from "../../../config/config.ts";
import type { Dispatcher } from "../../../events/dispatcher.ts";
import type { JobQueue } from "../../../jobs/queue.ts";
import { canSend } from "../../site/mail/smtp-transport.ts";
import { writeToUnverified } from "./service/addresses.ts";
import { forgottenPasswordJob, type RecoveryDeps, writeAboutPassword } from "./service/passwords.ts";

/** Registers the background jobs of password recovery. */
export function handleRecoveryJobs(jobs: JobQueue, deps: RecoveryDeps): void {
  jobs.handle(forgottenPasswordJob, ({ payload }) => writeAboutPassword(deps, payload.email, payload.language));
}

/** Sends verification emails for new addresses, where email is configured. A repeated email has a new link, and only the latest link is valid. */
export function listenForAddresses(dispatcher: Dispatcher, deps: RecoveryDeps & { readonly config: Config }): void {
  if (!canSend(deps.config)) return;
  dispatcher.on("recovery: new addresses", ["email.added"], ({ payload }) =>
    writeToUnverified(deps, { id: payload.accountId, name: payload.name }, payload.emails),
  );
}
