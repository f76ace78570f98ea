import { isForgeError } from "../core/errors.ts";

/** Whether git was ended because the work is too much for it (time, output, depth), not because something is wrong. */
export function isOverrun(error: unknown): boolean {
  if (!isForgeError(error, "unavailable")) return false;
  const { reason, signal } = error.options.meta ?? {};
  return reason === "time_limit" || reason === "output_limit" || (reason === "signal" && (signal === "SIGSEGV" || signal === "SIGBUS"));
}
