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
import { recoveryEmailTexts } from "../texts/texts.ts";
import { makeCode, readCode, useCode } from "./codes.ts";

export interface RecoveryDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly urls: Urls;
}

/** Minimum time between two emails to the same address. */
const pauseMs = 5 * 60_000;

/** `language` is the requesting browser's, for accounts without a chosen language. */
export const forgottenPasswordJob = defineJob<{ readonly email: string; readonly language?: string }>("recovery.forgotten_password");

/**
 * Accepts a request for a password reset. The work happens in a job, so neither the response nor its time reveals whether an account
 * exists.
 * @throws ForgeError `invalid` for an invalid address
 */
export async function askForPassword(deps: { readonly db: Db }, email: string, language: string): Promise<void> {
  if (!isValidEmail(email)) throw invalid("Enter an e-mail address, such as ada@example.org.", { reason: "invalid_email" });
  await deps.db.tx((tx) => enqueue(tx, forgottenPasswordJob, { email, language }, { dedupeKey: foldEmail(email) }));
}

/** Sends a reset email to the address on file if its account has a local password. The typed address is only used to look it up. */
export async function writeAboutPassword(deps: RecoveryDeps, typed: string, language = ""): Promise<void> {
  const owner = await findRecoverable(deps.db, typed);
  if (owner === undefined) return;
  await deps.db.tx(async (tx) => {
    const newest = await findNewest(tx, owner.accountId, "password", owner.email);
    if (newest !== undefined && deps.clock.now() - newest < pauseMs) return;
    const code = await makeCode(deps, tx, "password", owner);
    const texts = emailTexts(recoveryEmailTexts, owner.language || language);
    await sendEmail(tx, deps.sealer, {
      to: owner.email,
      subject: texts.passwordSubject(deps.urls.host),
      text: texts.password({ name: owner.name, origin: deps.urls.origin, link: `${deps.urls.web("user", "recover_account")}?code=${code}` }),
    });
  });
}

/** The account of a password link. @throws ForgeError `malformed` for an invalid or expired link */
export const checkPasswordCode = (deps: RecoveryDeps, code: string): Promise<{ readonly name: string }> => readCode(deps, "password", code);

/**
 * Sets a new password through an emailed link, which is consumed. The account's sessions end; a second factor is still required.
 * @throws ForgeError `malformed` for an invalid or expired link; `invalid` for a rejected password, which keeps the link valid
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

/** The author of events for a user authenticated by an emailed link. */
export const viaEmail = (id: number, name: string, address: string): Author => ({
  id,
  name,
  address,
  credential: { kind: "system", scopes: allScopes, isBasic: false },
});
