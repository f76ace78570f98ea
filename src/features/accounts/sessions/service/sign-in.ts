import type { UserActor } from "../../../../access/actor.ts";
import { invalid } from "../../../../core/errors.ts";
import { hashPassword, maxPasswordLength, minPasswordLength } from "../../users/passwords.ts";
import { setPassword } from "../../users/service/accounts.ts";
import type { SessionDetails, SessionStage, StartedSession } from "../model.ts";
import type { SessionRow } from "../store.ts";
import { actorOf, findLiveSession, type SessionDeps, startSession } from "./sessions.ts";

/** Checks passwords of every source. Provided by the composition root. */
export interface PasswordGate {
  /**
   * Undefined for a wrong login or password and for accounts that may not sign in, with the same response and timing. Throws
   * `throttled` after too many failures.
   */
  checkPassword(credentials: { readonly login: string; readonly password: string; readonly remoteAddress: string }): Promise<CheckedAccount | undefined>;
  /** Checks and consumes a code of the app, or a recovery code. Throws as {@link checkPassword}. */
  checkCode(account: UserActor, code: string, remoteAddress: string): Promise<boolean>;
}

export interface CheckedAccount {
  readonly id: number;
  readonly mustChangePassword: boolean;
  /** A second factor must follow the password. */
  readonly hasSecondFactor: boolean;
  /** The version of the checked credentials; undefined if none of this server's were checked. */
  readonly credentialVersion?: number;
}

export interface SignInDeps extends SessionDeps {
  readonly passwords: PasswordGate;
}

export interface SignInInput {
  readonly login: string;
  readonly password: string;
}

/**
 * Signs a user in with a password.
 * @param formerSecret the browser's previous session, which ends
 * @returns the session, which may have a remaining step; undefined for wrong credentials
 */
export async function signIn(
  deps: SignInDeps,
  input: SignInInput,
  details: SessionDetails,
  formerSecret: string | undefined,
): Promise<StartedSession | undefined> {
  const account = await deps.passwords.checkPassword({ ...input, remoteAddress: details.address });
  return account && startCheckedSession(deps, account, details, formerSecret);
}

/** Starts the session of an authenticated user, at the remaining step. */
export function startCheckedSession(
  deps: SessionDeps,
  account: CheckedAccount,
  details: SessionDetails,
  formerSecret: string | undefined,
): Promise<StartedSession> {
  const stage = account.hasSecondFactor ? "second-factor" : stageAfter(account);
  return startSession(deps, account.id, details, { stage, formerSecret, credentialVersion: account.credentialVersion });
}

const stageAfter = ({ mustChangePassword }: { readonly mustChangePassword: boolean }): SessionStage => (mustChangePassword ? "new-password" : "open");

/** Completes a sign-in with the second factor. @returns undefined for a wrong code */
export async function showCode(
  deps: SignInDeps,
  session: SessionRow,
  code: string,
  details: SessionDetails,
  formerSecret: string | undefined,
): Promise<StartedSession | undefined> {
  if (!(await deps.passwords.checkCode(actorOf(session), code, details.address))) return undefined;
  const { account, credentialVersion } = session;
  return startSession(deps, account.id, details, { stage: stageAfter(account), formerSecret, credentialVersion });
}

/** The session of a sign-in in progress at a given step; undefined otherwise. */
export async function findUnfinished(deps: SessionDeps, secret: string | undefined, stage: SessionRow["stage"]): Promise<SessionRow | undefined> {
  const session = secret === undefined ? undefined : await findLiveSession(deps, secret);
  return session?.stage === stage ? session : undefined;
}

/**
 * Sets the new password of an account that must change it, and signs it in. All its other sessions end.
 * @throws ForgeError `invalid` for a rejected password
 */
export async function chooseNewPassword(
  deps: SessionDeps,
  session: SessionRow,
  input: { readonly password: string; readonly retype: string },
  details: SessionDetails,
  formerSecret: string | undefined,
): Promise<StartedSession> {
  requireGoodPassword(input);
  const passwordHash = await hashPassword(input.password);
  await deps.db.tx((tx) => setPassword(tx, actorOf(session), session.account, passwordHash));
  return startSession(deps, session.account.id, details, { formerSecret });
}

/** @throws ForgeError `invalid` for a rejected password, or if the two entries differ */
export function requireGoodPassword({ password, retype }: { readonly password: string; readonly retype: string }): void {
  if (password !== retype) throw invalid("The two passwords differ. Enter the new one twice.", { reason: "passwords_differ" });
  if (password.length < minPasswordLength)
    throw invalid(`A password has at least ${minPasswordLength} characters. Choose a longer one.`, {
      reason: { code: "password_too_short", min: minPasswordLength },
    });
  if (password.length > maxPasswordLength)
    throw invalid(`A password has at most ${maxPasswordLength} characters. Choose a shorter one.`, {
      reason: { code: "password_too_long", max: maxPasswordLength },
    });
}
