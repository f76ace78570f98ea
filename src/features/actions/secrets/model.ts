import type { SettingsOwner } from "../../../access/settings-owner.ts";

/** A secret without its value, which is never shown. */
export interface SecretView {
  readonly name: string;
  readonly description: string;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface VariableView {
  readonly ownerId: number;
  readonly repoId: number;
  readonly name: string;
  readonly value: string;
  readonly description: string;
}

/** The two foreign keys of a row of this owner. */
export const ownerColumns = (owner: SettingsOwner) => ({
  repo_id: owner.scope === "repository" ? owner.repoId : null,
  owner_id: owner.scope === "owner" ? owner.ownerId : null,
});
