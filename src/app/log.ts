import { destination, pino } from "pino";
import type { Log } from "../core/log.ts";

/** JSON lines on standard error, written behind the request that they tell of. Members that can hold a secret are struck out. */
export const createLog = (level: string): Log =>
  pino(
    { level, redact: { paths: ["password", "token", "authorization", "*.password", "*.token", "*.authorization"], censor: "[redacted]" } },
    destination({ dest: 2, sync: false }),
  );
