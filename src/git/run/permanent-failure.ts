import { isForgeError } from "../../core/errors.ts";

/** Reasons of `unavailable` errors that are caused by one repository or request. */
const permanentReasons: ReadonlySet<unknown> = new Set(["damaged_object", "object_worker", "output_limit", "time_limit"]);

/** Whether a retry is bound to fail: an object is damaged, or git exceeds its limits. Shortages of the machine are temporary. */
export const isPermanentFailure = (error: unknown): boolean => isForgeError(error, "unavailable") && permanentReasons.has(error.options.meta?.reason);
