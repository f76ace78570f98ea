import type { JobQueue } from "../../../jobs/queue.ts";
import { type RegistrationDeps, registrationJob, writeToRegister } from "./service/register.ts";

/** What is done later about people who want accounts. */
export function handleRegistrationJobs(jobs: JobQueue, deps: RegistrationDeps): void {
  jobs.handle(registrationJob, ({ payload }) => writeToRegister(deps, payload));
}
