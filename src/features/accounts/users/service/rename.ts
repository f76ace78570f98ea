import type { UserActor } from "../../../../access/actor.ts";
import { forbidden } from "../../../../core/errors.ts";
import { type AccountDeps, getUser, renameUser } from "./accounts.ts";
import { findPasswordKeeper } from "./password-keeper.ts";

/**
 * Renames the caller's own account; the previous name redirects.
 * @throws ForgeError `forbidden` for accounts of a directory, `invalid` for a name that is reserved or in use
 */
export async function renameSelf(deps: AccountDeps, actor: UserActor, name: string): Promise<void> {
  if ((await findPasswordKeeper(deps, actor.id)) === "directory")
    throw forbidden("the username is managed by the directory of the account", { reason: "directory_username" });
  await renameUser(deps, actor, await getUser(deps, actor.id), name);
}
