import type { JobView } from "./model.ts";

export const jobStates: readonly JobView["state"][] = ["failed", "running", "waiting"];

/** What somebody asks for, who is shown what has failed where he asks for nothing that is there. */
export const jobStateOf = (text: string | undefined): JobView["state"] => jobStates.find((one) => one === text) ?? "failed";
