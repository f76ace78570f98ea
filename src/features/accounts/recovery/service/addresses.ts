import type { UserActor } from "../../../../access/actor.ts";
import type { Config } from "../../../../config/config.ts";
import { forbidden, throttled } from "../../../../core/errors.ts";
import { foldEmail } from "../../../../core/names.ts";
import { sendEmail } from "../../../site/mail/service/send.ts";
import { canSend } from "../../../site/mail/smtp-transport.ts";
import { emailTexts } from "../../../site/mail/texts/texts.ts";
import { markVerified } from "../../users/service/emails.ts";
import { findNewest, listUnverified } from "../store/codes.ts";
import { recoveryEmailTexts } from "../texts/texts.ts";
import { makeCode, readCode, useCode } from "./codes.ts";
import { type RecoveryDeps, viaEmail } from "./passwords.ts";

/** Sends a verification email to each unverified address of a user. */
export async function writeToUnverified(deps: RecoveryDeps, user: { readonly id: number; readonly name: string }, emails: readonly string[]): Promise<void> {
  await deps.db.tx(async (tx) => {
    for (const { email, language } of await listUnverified(tx, user.id, emails.map(foldEmail))) {
      const code = await makeCode(deps, tx, "email", { accountId: user.id, email });
      const texts = emailTexts(recoveryEmailTexts, language);
      const { host, origin } = deps.urls;
      await sendEmail(tx, deps.sealer, {
        to: email,
        subject: texts.addressSubject(user.name, host),
        text: texts.address({ name: user.name, origin, link: `${deps.urls.web("user", "activate_email")}?code=${code}` }),
      });
    }
  });
}

/** Minimum time between two emails to the same address. */
const pauseMs = 5 * 60_000;

/**
 * Sends another verification email to one of the caller's addresses and invalidates the previous link.
 * @throws ForgeError `forbidden` if the server does not send email, `throttled` too soon after the last one
 */
export async function askToVerify(
  deps: RecoveryDeps & { readonly config: Pick<Config, "mail"> },
  actor: Pick<UserActor, "id" | "name">,
  email: string,
): Promise<void> {
  if (!canSend(deps.config)) throw forbidden("This server sends no email.", { reason: "email_disabled" });
  const newest = await findNewest(deps.db, actor.id, "email", email);
  const waitMs = newest === undefined ? 0 : newest + pauseMs - deps.clock.now();
  if (waitMs > 0)
    throw throttled("an email is on its way to this address: wait a few minutes for it", {
      reason: "email_sent_recently",
      retryAfter: Math.ceil(waitMs / 1_000),
    });
  await writeToUnverified(deps, actor, [email]);
}

/** The account and address of a verification link. @throws ForgeError `malformed` for an invalid or expired link */
export const checkAddressCode = (deps: RecoveryDeps, code: string): Promise<{ readonly name: string; readonly email: string }> => readCode(deps, "email", code);

/** Marks an address as verified. @throws ForgeError `malformed` for an invalid or expired link */
export async function verifyAddress(deps: RecoveryDeps, code: string, address: string): Promise<{ readonly name: string; readonly email: string }> {
  return deps.db.tx(async (tx) => {
    const { accountId, name, email } = await useCode(deps, tx, "email", code);
    await markVerified(tx, viaEmail(accountId, name, address), { id: accountId, name }, email);
    return { name, email };
  });
}
