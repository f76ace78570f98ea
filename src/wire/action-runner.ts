import type { Static } from "typebox";
import { bool, expected, inPlace, int, list, nullable, option, record, text } from "./schema.ts";

export const ActionRunnerLabel = record("ActionRunnerLabel", { id: int(), name: text(), type: text() });

export const ActionRunner = record("ActionRunner", {
  id: int(),
  name: text(),
  status: text(),
  busy: bool(),
  disabled: bool(),
  ephemeral: bool(),
  labels: nullable(list(ActionRunnerLabel)),
});
export type ActionRunner = Static<typeof ActionRunner>;

export const ActionRunnersResponse = record("ActionRunnersResponse", { runners: nullable(list(ActionRunner)), total_count: int() });

export const EditActionRunnerOption = option("EditActionRunnerOption", { disabled: expected("Disabled", nullable(bool())) });

export const RegistrationToken = inPlace({ token: text() });
