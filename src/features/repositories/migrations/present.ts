import { formatTime } from "../../../core/time.ts";
import type { Migration } from "../../../wire/migration.ts";
import type { MigrationView } from "./progress.ts";

export const presentMigration = (view: MigrationView): Migration => ({
  id: view.id,
  full_name: view.fullName,
  clone_addr: view.address,
  status: view.state,
  phase: view.phase,
  received: view.receivedBytes,
  message: view.error,
  resumes_at: view.resumesMs === null ? null : formatTime(view.resumesMs),
  created_at: formatTime(view.createdMs),
  ended_at: view.endedMs === null ? null : formatTime(view.endedMs),
});
