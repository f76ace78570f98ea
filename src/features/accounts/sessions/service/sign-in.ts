import type { UserActor } from "../../../../access/actor.ts";
import { invalid } from "../../../../core/errors.ts";
import { hashPassword, maxPasswordLength, minPasswordLength } from "../../users/passwords.ts";
import { setPassword } from "../../users/service/accounts.ts";
import type { SessionDetails, SessionStage, StartedSession } from "../model.ts";
import type { SessionRow } from "../store.ts";
import { actorOf, findLiveSession, type SessionDeps, startSession } from "./sessions.ts";

/** Where passwords are judged, wherever they are kept. The composition root gives it. */
export interface PasswordGate {
  /** Undefined for a wrong login or password and for whoever may not sign in, alike in answer and time. Throws `throttled` after too many failures. */
  checkPassword(credentials: { readonly login: string; readonly password: string; readonly remoteAddress: string }): Promise<CheckedAccount | undefined>;
  /** Whether a code, of the app or a recovery code, is the account's; then it is spent. Throws as {@link checkPassword}. */
  checkCode(account: UserActor, code: string, remoteAddress: string): Promise<boolean>;
}

export interface CheckedAccount {
  readonly id: number;
  readonly mustChangePassword: boolean;
  /** The password alone opens nothing: a code must follow. */
  readonly hasSecondFactor: boolean;
  /** Of the credentials that were shown; left out where none of this server's were. */
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
 * Signs somebody in by his password.
 * @param formerSecret of the session that the browser came with, which ends
 * @returns the session, which may have a step before it opens anything; undefined for wrong credentials
 */
export async function signIn(
  deps: SignInDeps,
  input: SignInInput,
  facts: SessionDetails,
  formerSecret: string | undefined,
): Promise<StartedSession | undefined> {
  const account = await deps.passwords.checkPassword({ ...input, remoteAddress: facts.address });
  return account && startCheckedSession(deps, account, facts, formerSecret);
}

/** Begins the session of somebody who has shown which account is his, by a password or elsewhere: at the step that is left. */
export function startCheckedSession(
  deps: SessionDeps,
  account: CheckedAccount,
  facts: SessionDetails,
  formerSecret: string | undefined,
): Promise<StartedSession> {
  const stage = account.hasSecondFactor ? "second-factor" : stageAfter(account);
  return startSession(deps, account.id, facts, { stage, formerSecret, credentialVersion: account.credentialVersion });
}

const stageAfter = ({ mustChangePassword }: { readonly mustChangePassword: boolean }): SessionStage => (mustChangePassword ? "new-password" : "open");

/**
 * Takes somebody on who has shown the password and shows a code now.
 * @returns undefined for a wrong code
 */
export async function showCode(
  deps: SignInDeps,
  session: SessionRow,
  code: string,
  facts: SessionDetails,
  formerSecret: string | undefined,
): Promise<StartedSession | undefined> {
  if (!(await deps.passwords.checkCode(actorOf(session), code, facts.address))) return undefined;
  const { account, credentialVersion } = session;
  return startSession(deps, account.id, facts, { stage: stageAfter(account), formerSecret, credentialVersion });
}

/** The session of somebody who is in the middle of signing in, at a certain step; undefined for everybody else. */
export async function findUnfinished(deps: SessionDeps, secret: string | undefined, stage: SessionRow["stage"]): Promise<SessionRow | undefined> {
  const session = secret === undefined ? undefined : await findLiveSession(deps, secret);
  return session?.stage === stage ? session : undefined;
}

/**
 * Gives an account that had to change its password the new one, and signs it in. All its other sessions end.
 * @throws ForgeError `invalid` for a password that will not do
 */
export async function chooseNewPassword(
  deps: SessionDeps,
  session: SessionRow,
  input: { readonly password: string; readonly retype: string },
  facts: SessionDetails,
  formerSecret: string | undefined,
): Promise<StartedSession> {
  requireGoodPassword(input);
  const passwordHash = await hashPassword(input.password);
  await deps.db.tx((tx) => setPassword(tx, actorOf(session), session.account, passwordHash));
  return startSession(deps, session.account.id, facts, { formerSecret });
}

/** @throws ForgeError `invalid` for a password that will not do, or that was typed in two ways */
export function requireGoodPassword({ password, retype }: { readonly password: string; readonly retype: string }): void {
  if (password !== retype) throw invalid("The two passwords differ. Enter the new one twice.");
  if (password.length < minPasswordLength) throw invalid(`A password has at least ${minPasswordLength} characters. Choose a longer one.`);
  if (password.length > maxPasswordLength) throw invalid(`A password has at most ${maxPasswordLength} characters. Choose a shorter one.`);
}
