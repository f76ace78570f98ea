import type { ActionRunner } from "../../../wire/action-runner.ts";
import type { RunnerView } from "./model.ts";

/** @compat labels have no ids of their own: they count from 0 (runners/api.test.ts) */
export const presentRunner = ({ id, name, isOnline, isBusy, isDisabled, isEphemeral, labels }: RunnerView): ActionRunner => ({
  id,
  name,
  status: isOnline ? "online" : "offline",
  busy: isBusy,
  disabled: isDisabled,
  ephemeral: isEphemeral,
  labels: labels.map((label, at) => ({ id: at, name: label, type: "custom" })),
});
