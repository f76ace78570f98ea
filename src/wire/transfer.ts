import type { Static } from "typebox";
import { expected, field, int, list, nullable, option, text } from "./schema.ts";

export const TransferRepoOption = option("TransferRepoOption", {
  new_owner: expected("NewOwner", text()),
  team_ids: field("TeamIDs", nullable(list(int()))),
});
export type TransferRepoOption = Static<typeof TransferRepoOption>;
