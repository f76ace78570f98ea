import { isForgeError } from "../../core/errors.ts";

/** Git's messages about failed allocations. */
export const outOfMemory = /out of memory|memory allocation failed|Cannot allocate memory/i;

/** Whether git was stopped because the work exceeds a limit (time, output, memory, depth), not because of a fault. */
export function isResourceLimit(error: unknown): boolean {
  if (!isForgeError(error, "unavailable")) return false;
  const { reason, signal, stderr } = error.options.meta ?? {};
  if (reason === "time_limit" || reason === "output_limit") return true;
  if (reason === "signal") return signal === "SIGSEGV" || signal === "SIGBUS";
  return reason === "exit" && typeof stderr === "string" && outOfMemory.test(stderr);
}
