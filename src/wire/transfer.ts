import type { Static } from "typebox";
import { counts, lengths } from "../core/lengths.ts";
import { expected, field, int, list, nullable, option, text } from "./schema.ts";

export const TransferRepoOption = option("TransferRepoOption", {
  new_owner: expected("NewOwner", text(lengths.line)),
  team_ids: field("TeamIDs", nullable(list(int(), counts.names))),
});
export type TransferRepoOption = Static<typeof TransferRepoOption>;
