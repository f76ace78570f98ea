import { allScopes } from "../../../../access/scopes.ts";
import type { Clock } from "../../../../core/clock.ts";
import { invalid } from "../../../../core/errors.ts";
import { foldEmail, isValidEmail } from "../../../../core/names.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import type { Author } from "../../../../events/events.ts";
import { defineJob, enqueue } from "../../../../jobs/job.ts";
import { sendEmail } from "../../../site/mail/service/send.ts";
import { emailTexts } from "../../../site/mail/texts/texts.ts";
import { requireGoodPassword } from "../../sessions/service/sign-in.ts";
import { hashPassword } from "../../users/passwords.ts";
import { setPassword } from "../../users/service/accounts.ts";
import { findSignInAccount, type SignInAccount } from "../../users/service/sign-in-accounts.ts";
import { findNewest, findRecoverable } from "../store/codes.ts";
import { makeCode, readCode, useCode } from "./codes.ts";

export interface RecoveryDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly urls: Urls;
}

/** One letter to an address in so long a time, however often it is asked for. */
const pauseMs = 5 * 60_000;

/** Language: of the browser that asked, for accounts that have chosen none. */
export const forgottenPasswordJob = defineJob<{ readonly email: string; readonly language?: string }>("recovery.forgotten_password");

/**
 * Takes note that somebody has forgotten his password. What follows is done later, so that neither answer nor time tells whether anybody has the address.
 * @throws ForgeError `invalid` for what is no address
 */
export async function askForPassword(deps: { readonly db: Db }, email: string, language: string): Promise<void> {
  if (!isValidEmail(email)) throw invalid("Enter an e-mail address, such as ada@example.org.");
  await deps.db.tx((tx) => enqueue(tx, forgottenPasswordJob, { email, language }, { dedupeKey: foldEmail(email) }));
}

/** Writes to the address on file, if it is somebody's who has a password here. What was typed is only looked for, never written to. */
export async function writeAboutPassword(deps: RecoveryDeps, typed: string, language = ""): Promise<void> {
  const owner = await findRecoverable(deps.db, typed);
  if (owner === undefined) return;
  await deps.db.tx(async (tx) => {
    const newest = await findNewest(tx, owner.accountId, "password", owner.email);
    if (newest !== undefined && deps.clock.now() - newest < pauseMs) return;
    const code = await makeCode(deps, tx, "password", owner);
    const { recovery: texts } = emailTexts(owner.language || language);
    await sendEmail(tx, deps.sealer, {
      to: owner.email,
      subject: texts.passwordSubject(deps.urls.host),
      text: texts.password({ name: owner.name, origin: deps.urls.origin, link: `${deps.urls.web("user", "recover_account")}?code=${code}` }),
    });
  });
}

/** Whose password a letter's link is about. @throws ForgeError `malformed` for a link that is no longer good */
export const checkPasswordCode = (deps: RecoveryDeps, code: string): Promise<{ readonly name: string }> => readCode(deps, "password", code);

/**
 * Gives an account a new password by a letter's link, once. Its sessions end; a second factor is asked for as ever.
 * @throws ForgeError `malformed` for a link that is no longer good; `invalid` for a password that will not do, which uses nothing up
 */
export async function recoverPassword(
  deps: RecoveryDeps,
  input: { readonly code: string; readonly password: string; readonly retype: string },
  address: string,
): Promise<SignInAccount> {
  const { code, password } = input;
  await readCode(deps, "password", code);
  requireGoodPassword(input);
  const passwordHash = await hashPassword(password);
  return deps.db.tx(async (tx) => {
    const { accountId, name } = await useCode(deps, tx, "password", code);
    await setPassword(tx, viaEmail(accountId, name, address), { id: accountId, name }, passwordHash);
    return findSignInAccount({ db: tx }, accountId);
  });
}

/** Somebody who has shown by a letter who he is. */
export const viaEmail = (id: number, name: string, address: string): Author => ({
  id,
  name,
  address,
  credential: { kind: "system", scopes: allScopes, isBasic: false },
});
