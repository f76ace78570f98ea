import type { JobQueue } from "../../../jobs/queue.ts";
import { type RegistrationDeps, registrationJob, writeToRegister } from "./service/register.ts";

/** Registers the background jobs of registration. */
export function handleRegistrationJobs(jobs: JobQueue, deps: RegistrationDeps): void {
  jobs.handle(registrationJob, ({ payload }) => writeToRegister(deps, payload));
}
