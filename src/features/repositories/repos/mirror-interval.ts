import type { Config } from "../../../config/config.ts";
import { formatDuration, parseDuration } from "../../../core/duration.ts";
import type { ErrorOptions, ForgeError } from "../../../core/errors.ts";

/**
 * Parses the interval of a mirror. Empty means the server's default, 0 means synchronization only on request.
 * @param refuse creates the error with Gitea's message
 */
export function readMirrorInterval(text: string, { mirror }: Pick<Config, "mirror">, refuse: (message: string, options: ErrorOptions) => ForgeError): number {
  if (text === "") return mirror.default_interval_seconds * 1_000;
  const intervalMs = parseDuration(text);
  if (intervalMs === undefined) throw refuse(`time: invalid duration ${JSON.stringify(text)}`, { reason: "invalid_duration" });
  const leastMs = mirror.min_interval_seconds * 1_000;
  if (intervalMs !== 0 && intervalMs < leastMs)
    throw refuse(`invalid mirror interval: ${formatDuration(Math.max(0, intervalMs))} is below minimum interval: ${formatDuration(leastMs)}`, {
      reason: "interval_too_short",
    });
  return intervalMs;
}
