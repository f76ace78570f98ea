import type { JobView } from "./model.ts";

export const jobStates: readonly JobView["state"][] = ["failed", "running", "waiting"];

/** The requested state; failed jobs for a missing or unknown one. */
export const jobStateOf = (text: string | undefined): JobView["state"] => jobStates.find((one) => one === text) ?? "failed";
