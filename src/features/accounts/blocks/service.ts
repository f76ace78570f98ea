import type { UserActor } from "../../../access/actor.ts";
import type { Db, Reader } from "../../../db/db.ts";
import { isUniqueViolation } from "../../../db/errors.ts";
import { removeAccess } from "../../repositories/repos/service/forget-account.ts";
import { findNamedAccount } from "../users/service/accounts.ts";
import { addBlock, type Blocker, cannotBlock, removeBlock, requireBlocked } from "../users/service/blocks.ts";

interface BlockInput {
  readonly name: string;
  /** Visible only to the blocker. */
  readonly note: string;
}

/**
 * Blocks a user for a user or organization. The blocked user loses their stars, watches and collaborations on the blocker's
 * repositories.
 * @throws ForgeError `not_found` for an account that the caller cannot see, `malformed` for one that cannot be blocked
 */
export async function block(deps: { readonly db: Db }, actor: UserActor, blocker: Blocker, input: BlockInput): Promise<void> {
  const target = await findNamedAccount(deps, input.name, actor);
  try {
    await deps.db.tx(async (tx) => {
      await addBlock(tx, actor, blocker, target, input.note);
      await removeAccess(tx, actor, blocker, target);
    });
  } catch (error) {
    throw isUniqueViolation(error, "blocks.blocker_id,account_id") ? cannotBlock() : error;
  }
}

/**
 * Ends a block. Stars, watches and collaborations that ended with it do not come back.
 * @throws ForgeError `not_found`; `malformed` if there is no block
 */
export async function unblock(deps: { readonly db: Db }, actor: UserActor, blocker: Blocker, name: string): Promise<void> {
  const target = await findNamedAccount(deps, name, actor);
  await deps.db.tx((tx) => removeBlock(tx, actor, blocker, target));
}

/** @throws ForgeError `not_found` for a user who is not blocked */
export async function checkBlock(deps: { readonly db: Reader }, actor: UserActor, blocker: Blocker, name: string): Promise<void> {
  await requireBlocked(deps, blocker, await findNamedAccount(deps, name, actor));
}
