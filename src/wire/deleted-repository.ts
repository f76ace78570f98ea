import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { bool, field, int, option, record, text, time } from "./schema.ts";

export const DeletedRepository = record("DeletedRepository", {
  id: int(),
  owner: text(),
  name: text(),
  full_name: text(),
  private: bool(),
  /** KiB. */
  size: int(),
  deleted_at: time(),
  /** The repository can be restored until then. */
  kept_until: time(),
});
export type DeletedRepository = Static<typeof DeletedRepository>;

export const RestoreRepositoryOption = option("RestoreRepositoryOption", {
  /** A new name, if the former one is in use. */
  name: field("Name", text(), "OmitEmpty", "AlphaDashDot", `MaxSize(${lengths.repositoryName})`),
});
export type RestoreRepositoryOption = Static<typeof RestoreRepositoryOption>;
