import { formatDuration } from "../../../core/duration.ts";
import { formatTime } from "../../../core/time.ts";
import type { PushMirror } from "../../../wire/mirror.ts";
import type { PushMirrorView } from "./model.ts";

export const presentPushMirror = (mirror: PushMirrorView, repositoryName: string): PushMirror => ({
  repo_name: repositoryName,
  remote_name: mirror.name,
  remote_address: mirror.address,
  created: formatTime(mirror.createdMs),
  // A mirror that was never pushed shows 1970.
  last_update: formatTime(mirror.syncedMs),
  last_error: mirror.lastError,
  interval: formatDuration(mirror.intervalMs),
  sync_on_commit: mirror.syncsOnCommit,
});
