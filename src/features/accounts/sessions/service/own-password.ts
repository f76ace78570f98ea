import type { UserActor } from "../../../../access/actor.ts";
import { invalid } from "../../../../core/errors.ts";
import { hashPassword } from "../../users/passwords.ts";
import { setPassword } from "../../users/service/accounts.ts";
import { findPasswordKeeper } from "../../users/service/password-keeper.ts";
import type { SessionDetails, StartedSession } from "../model.ts";
import { startSession } from "./sessions.ts";
import { requireGoodPassword, type SignInDeps } from "./sign-in.ts";

/**
 * Makes sure that whoever sits at a signed-in browser knows the account's password, for what would let others act as him.
 * @returns the caller as somebody who has shown his password
 * @throws ForgeError `invalid` for a wrong one, `throttled` after too many
 */
export async function confirmPassword({ passwords }: Pick<SignInDeps, "passwords">, actor: UserActor, password: string, wrong: string): Promise<UserActor> {
  const checked = await passwords.checkPassword({ login: actor.name, password, remoteAddress: actor.address ?? "" });
  if (checked?.id !== actor.id) throw invalid(wrong);
  return { ...actor, credential: { ...actor.credential, kind: "password", isBasic: true } };
}

/**
 * Changes the password of somebody who shows the present one. All his sessions end; the browser at which he sits gets a new one.
 * @throws ForgeError `invalid` for a password that will not do, and where a directory keeps it
 */
export async function changeOwnPassword(
  deps: SignInDeps,
  actor: UserActor,
  input: { readonly password: string; readonly retype: string },
  facts: SessionDetails,
  formerSecret: string | undefined,
): Promise<StartedSession> {
  if ((await findPasswordKeeper(deps, actor.id)) === "directory") throw invalid("Your password is kept by a directory and is changed there.");
  requireGoodPassword(input);
  const passwordHash = await hashPassword(input.password);
  await deps.db.tx((tx) => setPassword(tx, actor, actor, passwordHash));
  return startSession(deps, actor.id, facts, { formerSecret });
}
