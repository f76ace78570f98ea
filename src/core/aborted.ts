import { type ForgeError, unavailable } from "./errors.ts";

/** The error for a caller whose own signal aborted the work. */
export function aborted(signal: AbortSignal | undefined): ForgeError {
  return unavailable("the request was ended", { meta: { reason: "aborted" }, cause: signal?.reason });
}
