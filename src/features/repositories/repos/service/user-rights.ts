import type { UserActor } from "../../../../access/actor.ts";
import { evaluateRepositoryRight, type RepositoryRight } from "../../../../access/repository.ts";
import { allScopes } from "../../../../access/scopes.ts";
import type { Reader } from "../../../../db/db.ts";
import { toActor } from "../../../accounts/users/actor-account.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import { loadRightInputsOf } from "../store/user-rights.ts";

/** A user as an actor who signed in with a password. */
export const asActor = (user: UserView): UserActor => toActor(user, { kind: "system", scopes: allScopes, isBasic: false });

/** The permissions of some users on a repository, by id: to assign, mention or notify them. One statement. */
export async function rightsOfUsers(deps: { readonly db: Reader }, repoId: number, users: readonly UserView[]): Promise<ReadonlyMap<number, RepositoryRight>> {
  if (users.length === 0) return new Map();
  const rightInputs = await loadRightInputsOf(
    deps.db,
    repoId,
    users.map(({ id }) => id),
  );
  return new Map(
    users.flatMap((user) => {
      const known = rightInputs.get(user.id);
      return known === undefined ? [] : [[user.id, evaluateRepositoryRight(asActor(user), known)] as const];
    }),
  );
}
