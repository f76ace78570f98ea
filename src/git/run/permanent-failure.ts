import { isForgeError } from "../../core/errors.ts";

/** Reasons of what is unavailable that lie in one repository, or in what is asked of it. */
const lasting: ReadonlySet<unknown> = new Set(["damaged_object", "object_worker", "output_limit", "time_limit"]);

/** Whether trying again will fail again, however often: an object is damaged, or git does not come to an end. What the machine lacks comes back. */
export const isPermanentFailure = (error: unknown): boolean => isForgeError(error, "unavailable") && lasting.has(error.options.meta?.reason);
