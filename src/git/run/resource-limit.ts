import { isForgeError } from "../../core/errors.ts";

/** What git says when it cannot allocate what it asked for. */
export const memoryWords = /out of memory|memory allocation failed|Cannot allocate memory/i;

/** Whether git was ended because the work is too much for it (time, output, memory, depth), not because something is wrong. */
export function isResourceLimit(error: unknown): boolean {
  if (!isForgeError(error, "unavailable")) return false;
  const { reason, signal, stderr } = error.options.meta ?? {};
  if (reason === "time_limit" || reason === "output_limit") return true;
  if (reason === "signal") return signal === "SIGSEGV" || signal === "SIGBUS";
  return reason === "exit" && typeof stderr === "string" && memoryWords.test(stderr);
}
