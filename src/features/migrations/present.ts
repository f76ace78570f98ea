import { formatTime } from "../../core/time.ts";
import type { RunningMigration as WireMigration } from "../../wire/migration.ts";
import type { RunningMigration } from "./progress.ts";

export const presentRunning = ({ id, fullName, address, phase, receivedBytes, startedMs }: RunningMigration): WireMigration => ({
  id,
  full_name: fullName,
  clone_addr: address,
  phase,
  received: receivedBytes,
  started_at: formatTime(startedMs),
});
