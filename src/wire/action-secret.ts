import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { field, int, option, record, text, time } from "./schema.ts";

/** A secret of workflows, without its value. */
export const Secret = record("Secret", { name: text(), description: text(), created_at: time() });
export type Secret = Static<typeof Secret>;

export const CreateOrUpdateSecretOption = option("CreateOrUpdateSecretOption", {
  data: field("Data", text(lengths.content), "Required"),
  description: field("Description", text(lengths.content)),
});

/** A variable of workflows. */
export const ActionVariable = record("ActionVariable", { owner_id: int(), repo_id: int(), name: text(), data: text(), description: text() });
export type ActionVariable = Static<typeof ActionVariable>;

export const CreateVariableOption = option("CreateVariableOption", {
  value: field("Value", text(lengths.content), "Required"),
  description: field("Description", text(lengths.content)),
});

export const UpdateVariableOption = option("UpdateVariableOption", {
  /** Renames the variable; empty keeps its name. */
  name: field("Name", text(lengths.line)),
  value: field("Value", text(lengths.content), "Required"),
  description: field("Description", text(lengths.content)),
});
