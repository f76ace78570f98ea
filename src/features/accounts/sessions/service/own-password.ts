import type { UserActor } from "../../../../access/actor.ts";
import { invalid } from "../../../../core/errors.ts";
import { hashPassword } from "../../users/passwords.ts";
import { setPassword } from "../../users/service/accounts.ts";
import { findPasswordKeeper } from "../../users/service/password-keeper.ts";
import type { SessionDetails, StartedSession } from "../model.ts";
import { startSession } from "./sessions.ts";
import { requireGoodPassword, type SignInDeps } from "./sign-in.ts";

/**
 * Asks the user of a signed-in browser for their password before actions that would let others impersonate them.
 * @returns the caller with the confirmed password
 * @throws ForgeError `invalid` for a wrong password, `throttled` after too many
 */
export async function confirmPassword({ passwords }: Pick<SignInDeps, "passwords">, actor: UserActor, password: string, wrong: string): Promise<UserActor> {
  const checked = await passwords.checkPassword({ login: actor.name, password, remoteAddress: actor.address ?? "" });
  if (checked?.id !== actor.id) throw invalid(wrong);
  return { ...actor, credential: { ...actor.credential, kind: "password", isBasic: true } };
}

/**
 * Changes the caller's password. The caller enters the current one, all sessions end, and the requesting browser gets a new one.
 * @throws ForgeError `invalid` for a rejected password, and if a directory manages it
 */
export async function changeOwnPassword(
  deps: SignInDeps,
  actor: UserActor,
  input: { readonly password: string; readonly retype: string },
  details: SessionDetails,
  formerSecret: string | undefined,
): Promise<StartedSession> {
  if ((await findPasswordKeeper(deps, actor.id)) === "directory")
    throw invalid("Your password is managed by a directory. Change it there.", { reason: "password_in_directory" });
  requireGoodPassword(input);
  const passwordHash = await hashPassword(input.password);
  await deps.db.tx((tx) => setPassword(tx, actor, actor, passwordHash));
  return startSession(deps, actor.id, details, { formerSecret });
}
