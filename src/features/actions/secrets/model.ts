/** The owner of secrets, variables and runners. Those of an account cover all of its repositories, those of the server all repositories. */
export type ActionsOwner =
  | { readonly scope: "repository"; readonly repoId: number; readonly name: string }
  | { readonly scope: "owner"; readonly ownerId: number; readonly name: string }
  | { readonly scope: "server" };

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
export const ownerColumns = (owner: ActionsOwner) => ({
  repo_id: owner.scope === "repository" ? owner.repoId : null,
  owner_id: owner.scope === "owner" ? owner.ownerId : null,
});
