import type { Config } from "../../../../config/config.ts";
import type { Clock } from "../../../../core/clock.ts";
import { forbidden, invalid, isForgeError } from "../../../../core/errors.ts";
import { foldEmail, isValidEmail } from "../../../../core/names.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { defineJob, enqueue } from "../../../../jobs/job.ts";
import { sendEmail } from "../../../site/mail/service/send.ts";
import { emailTexts } from "../../../site/mail/texts/texts.ts";
import { noLongerGood } from "../../recovery/service/codes.ts";
import { requireGoodPassword } from "../../sessions/service/sign-in.ts";
import { hashPassword } from "../../users/passwords.ts";
import { checkAccountName, insertUser, nameInUse } from "../../users/service/accounts.ts";
import { findVerifiedOwner } from "../../users/service/sign-in-accounts.ts";
import { dropClaim } from "../../users/service/sourced-accounts.ts";
import { createThrottle, type Throttle } from "../../users/service/throttle.ts";
import { registrationEmailTexts } from "../texts/texts.ts";

export interface RegistrationDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly urls: Urls;
  readonly config: Pick<Config, "registration">;
}

export const registrationJob = defineJob<{ readonly email: string; readonly language: string }>("registration.begin");

const minuteMs = 60_000;
/** Lifetime of an emailed link. */
const livesMs = 24 * 60 * minuteMs;
/** Limits of emails per address and per network. Each email counts for the given time, whether or not the address has an account. */
const limits = { pair: 3, login: 3, network: 20, forgetMs: 10 * minuteMs };
/** The sealing purpose of the invitations in emails. */
const purpose = "registration";

/** Throttles requests for registration emails. */
export const createRegistrationThrottle = (deps: Pick<RegistrationDeps, "db" | "clock">): Throttle => createThrottle({ ...deps, limits, subject: purpose });

/**
 * Accepts a request for an account. The work happens in a job and the result is sent by email, so neither the response nor its time
 * reveals whether the address has an account.
 * @throws ForgeError `forbidden` if registration is off, `invalid` for an invalid address or a domain that is not allowed,
 * `throttled` after too many requests
 */
export async function askToRegister(
  deps: RegistrationDeps & { readonly asking: Throttle },
  requested: { readonly email: string; readonly language: string; readonly remoteAddress: string },
): Promise<void> {
  const { email, language, remoteAddress } = requested;
  requireRegistration(deps);
  if (!isValidEmail(email)) throw invalid("[Email]: Email", { reason: "invalid_email" });
  if (!isLetIn(deps, email)) throw invalid("[Email]: addresses of this domain are not allowed", { reason: "email_domain_not_allowed" });
  // Every email counts like a failed attempt.
  await deps.asking.check({ login: foldEmail(email), accountId: 0, remoteAddress }, async () => undefined);
  await deps.db.tx((tx) => enqueue(tx, registrationJob, { email, language }, { dedupeKey: foldEmail(email) }));
}

const requireRegistration = ({ config }: Pick<RegistrationDeps, "config">): void => {
  if (!config.registration.enabled)
    throw forbidden("Registration is disabled: ask an administrator for an account.", { body: "message", reason: "registration_disabled" });
};

function isLetIn({ config }: Pick<RegistrationDeps, "config">, email: string): boolean {
  const domains = config.registration.email_domains.map((domain) => domain.toLowerCase());
  return domains.length === 0 || domains.includes(email.slice(email.lastIndexOf("@") + 1).toLowerCase());
}

/** Sends the registration link, or a notice that the address already has an account. */
export async function writeToRegister(deps: RegistrationDeps, { email, language }: { readonly email: string; readonly language: string }): Promise<void> {
  const { urls, sealer } = deps;
  const texts = emailTexts(registrationEmailTexts, language);
  const owner = await findVerifiedOwner(deps, email);
  const code = sealInvitation(deps, email);
  const text =
    owner === undefined
      ? texts.begin({ origin: urls.origin, link: `${urls.web("user", "sign_up", "confirm")}?code=${code}` })
      : texts.known({ name: owner.name, origin: urls.origin, link: urls.web("user", "forgot_password") });
  await deps.db.tx((tx) => sendEmail(tx, sealer, { to: email, subject: texts.subject(urls.host), text }));
}

/**
 * A code that creates an account for a user who can read the mail of an address, as after a request for a registration email; undefined if
 * the address has an account or may not register.
 */
export async function linkToRegister(deps: RegistrationDeps, email: string): Promise<string | undefined> {
  const isOpen = deps.config.registration.enabled && isLetIn(deps, email);
  return isOpen && (await findVerifiedOwner(deps, email)) === undefined ? sealInvitation(deps, email) : undefined;
}

const sealInvitation = ({ sealer, clock }: RegistrationDeps, email: string): string =>
  sealer.seal(purpose, JSON.stringify({ email, expiresMs: clock.now() + livesMs } satisfies Invitation));

/** The content of an emailed link. Its holder can read the mail of the address. */
interface Invitation {
  readonly email: string;
  readonly expiresMs: number;
}

/** The address of an emailed link. @throws ForgeError `malformed` for an invalid or expired link */
export async function readInvitation(deps: RegistrationDeps, code: string): Promise<string> {
  requireRegistration(deps);
  const opened = deps.sealer.open(purpose, code);
  if (opened === undefined) throw noLongerGood();
  const { email, expiresMs } = JSON.parse(opened) as Invitation;
  // Registration verifies the address permanently, so a link creates only one account.
  if (expiresMs <= deps.clock.now() || (await findVerifiedOwner(deps, email)) !== undefined) throw noLongerGood();
  return email;
}

/**
 * Creates the account of a user who has confirmed their address by email. Unverified claims of other accounts to the address are
 * removed.
 * @throws ForgeError `malformed` for an invalid or expired link; `invalid` for a rejected name or password, which keeps the link
 * valid
 */
export async function register(
  deps: RegistrationDeps,
  input: { readonly code: string; readonly name: string; readonly password: string; readonly retype: string },
): Promise<number> {
  const { code, name } = input;
  const email = await readInvitation(deps, code);
  about("UserName", () => checkAccountName(name));
  about("Password", () => requireGoodPassword(input));
  const passwordHash = await hashPassword(input.password);
  const user = {
    name,
    email,
    fullName: "",
    passwordHash,
    isAdmin: false,
    isRestricted: false,
    mustChangePassword: false,
    visibility: "public",
    loginName: "",
    createdMs: deps.clock.now(),
  } as const;
  try {
    return await deps.db.tx(async (tx) => {
      await dropClaim(tx, email);
      return insertUser(tx, user, null);
    });
  } catch (error) {
    if (isUniqueViolation(error, "account_emails.folded")) throw noLongerGood();
    return about("UserName", () => {
      throw nameInUse(error, name, email);
    });
  }
}

/** Adds the field's name to an error. */
function about<T>(field: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isForgeError(error, "invalid") ? invalid(`[${field}]: ${error.message}`, { reason: error.reason }) : error;
  }
}
