import type { ExpressionBuilder } from "kysely";
import type { SettingsOwner } from "../../../../access/settings-owner.ts";
import type { Tables } from "../../../../db/tables.ts";

type OwnedTable = "action_secrets" | "action_variables";

/** The rows of one owner. */
export const ownedBy =
  (owner: SettingsOwner) =>
  <T extends OwnedTable>(eb: ExpressionBuilder<Tables, T>) => {
    const builder = eb as unknown as ExpressionBuilder<Tables, "action_secrets">;
    if (owner.scope === "repository") return builder("repo_id", "=", owner.repoId);
    if (owner.scope === "owner") return builder("owner_id", "=", owner.ownerId);
    return builder.and([builder("repo_id", "is", null), builder("owner_id", "is", null)]);
  };
