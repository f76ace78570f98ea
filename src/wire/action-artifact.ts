import type { Static } from "typebox";
import { ActionWorkflowRun } from "./action-run.ts";
import { bool, int, list, nullable, record, text, time } from "./schema.ts";

export const ActionArtifact = record("ActionArtifact", {
  id: int(),
  name: text(),
  size_in_bytes: int(),
  url: text(),
  archive_download_url: text(),
  expired: bool(),
  workflow_run: nullable(ActionWorkflowRun),
  created_at: time(),
  updated_at: time(),
  expires_at: time(),
});
export type ActionArtifact = Static<typeof ActionArtifact>;

export const ActionArtifactsResponse = record("ActionArtifactsResponse", { artifacts: nullable(list(ActionArtifact)), total_count: int() });
