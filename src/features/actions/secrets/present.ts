import { formatTime } from "../../../core/time.ts";
import type { ActionVariable, Secret } from "../../../wire/action-secret.ts";
import type { SecretView, VariableView } from "./model.ts";

export const presentSecret = ({ name, description, createdMs }: SecretView): Secret => ({ name, description, created_at: formatTime(createdMs) });

export const presentVariable = ({ ownerId, repoId, name, value, description }: VariableView): ActionVariable => ({
  owner_id: ownerId,
  repo_id: repoId,
  name,
  data: value,
  description,
});
