import { createHash, pbkdf2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { UserActor } from "../../../../access/actor.ts";
import type { AccountSubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import { conflict, forbidden, invalid, notFound } from "../../../../core/errors.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import { hashToken } from "../../../../core/secrets.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { type Author, recordEvent } from "../../../../events/events.ts";
import type { TotpSecret, TwoFactorView } from "../model.ts";
import {
  confirmFactor,
  deleteFactor,
  findSecondFactor,
  insertPendingFactor,
  listImportedCodes,
  listWithSecondFactor,
  replaceRecoveryCodes,
  spendRecoveryCode,
  spendStep,
} from "../store/two-factor.ts";
import { base32, matchingSteps, newTotpSecret, totpUri } from "../totp.ts";

export interface TwoFactorDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sealer: Sealer;
}

const recoveryCodes = 10;
const purpose = (accountId: number): string => `second factor of account ${accountId}`;

/** Seals a secret whose app has shown valid codes elsewhere. */
export const sealTotpSecret = (sealer: Sealer, accountId: number, secret: string): string => sealer.seal(purpose(accountId), secret);

/** Imported codes keep the hash of their server: PBKDF2 with SHA-256. They are not unique without their salt. */
const importedCode = /^pbkdf2\$([^$]+)\$([0-9a-f]{100})$/;
const importedRounds = 10_000;
const derive = promisify(pbkdf2);

/** A recovery code of Gitea, as it is stored. */
export const formatImportedCode = (salt: string, hash: string): string => `pbkdf2$${salt}$${hash}`;

async function isImportedCode(stored: string, code: string): Promise<boolean> {
  const [, salt, hash] = importedCode.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, "hex");
  return timingSafeEqual(await derive(plainCode(code), salt, importedRounds, expected.length, "sha256"), expected);
}

const plainCode = (code: string): string => code.toUpperCase().replace(/[\s-]/g, "");

/** Codes are random enough to need no slow hash. Case and dashes are only for readability. */
const hashRecoveryCode = (code: string): string => createHash("sha256").update(plainCode(code)).digest("hex");

/** 80 random bits: `abcd-efgh-ijkl-mnop`. */
const newRecoveryCode = (): string =>
  base32(randomBytes(10))
    .toLowerCase()
    .replace(/(.{4})(?=.)/g, "$1-");

export async function getTwoFactor(deps: { readonly db: Reader }, actor: Pick<UserActor, "id">): Promise<TwoFactorView> {
  const row = await findSecondFactor(deps.db, actor.id);
  return row?.confirmedMs == null ? { confirmedMs: null, recoveryCodes: 0 } : { confirmedMs: row.confirmedMs, recoveryCodes: row.recoveryCodes };
}

/** Those of the accounts that sign in with a second factor. One statement. */
export const accountsWithTwoFactor = async (deps: { readonly db: Reader }, accountIds: readonly number[]): Promise<ReadonlySet<number>> =>
  new Set(await listWithSecondFactor(deps.db, accountIds));

/**
 * Creates a secret for an authenticator app, effective once its first code is confirmed. A repeated call replaces it.
 * @throws ForgeError `conflict` if a second factor is already in effect
 */
export async function beginTwoFactor(deps: TwoFactorDeps & { readonly urls: Urls }, actor: UserActor): Promise<TotpSecret> {
  requirePassword(actor);
  const secret = newTotpSecret();
  const sealed = deps.sealer.seal(purpose(actor.id), secret);
  if (!(await deps.db.tx((tx) => insertPendingFactor(tx, actor.id, sealed))))
    throw conflict("two-factor sign-in is on already: remove it first", { reason: "changed_meanwhile" });
  return describeSecret(deps, actor, secret);
}

/** An existing pending secret, shown again. */
export const describeSecret = ({ urls }: { readonly urls: Urls }, actor: UserActor, secret: string): TotpSecret => ({
  secret,
  uri: totpUri(secret, urls.host, actor.name),
});

/**
 * Confirms the first code of the app; codes are required from then on.
 * @returns the recovery codes, only here
 * @throws ForgeError `conflict` without a pending secret, `invalid` for a wrong code
 */
export async function confirmTwoFactor(deps: TwoFactorDeps, actor: UserActor, code: string): Promise<readonly string[]> {
  requirePassword(actor);
  return confirm(deps, actor, code);
}

/**
 * The same for a browser session. The secret was shown only after the password was entered, so knowing it replaces the password.
 * @throws ForgeError `conflict` also for another secret than the pending one
 */
export const confirmShownSecret = (
  deps: TwoFactorDeps,
  actor: UserActor,
  shown: { readonly secret: string; readonly code: string },
): Promise<readonly string[]> => confirm(deps, actor, shown.code, shown.secret);

async function confirm(deps: TwoFactorDeps, actor: UserActor, code: string, shown?: string): Promise<readonly string[]> {
  const row = await findSecondFactor(deps.db, actor.id);
  if (row === undefined || row.confirmedMs !== null)
    throw conflict("there is no secret that waits to be confirmed: request one first", { reason: "changed_meanwhile" });
  const secret = openSecret(deps, actor.id, row.sealedSecret);
  if (shown !== undefined && !isSame(shown, secret)) throw conflict("the secret was replaced by another one in the meantime", { reason: "changed_meanwhile" });
  const [step] = matchingSteps(secret, code, deps.clock.now());
  if (step === undefined) throw invalid("the code is wrong: enter the code that the app shows now", { reason: "wrong_code" });
  const codes = newCodes();
  await deps.db.tx(async (tx) => {
    if (!(await confirmFactor(tx, actor.id, row.sealedSecret, step)))
      throw conflict("the secret was replaced by another one in the meantime", { reason: "changed_meanwhile" });
    await replaceRecoveryCodes(tx, actor.id, codes.map(hashRecoveryCode));
    await recordEvent(tx, "two_factor.enabled", eventOf(actor), { by: actor });
  });
  return codes;
}

/** @returns new recovery codes; the previous ones become invalid. @throws ForgeError `conflict` without a second factor */
export async function renewRecoveryCodes(deps: TwoFactorDeps, actor: UserActor): Promise<readonly string[]> {
  requirePassword(actor);
  const codes = newCodes();
  await deps.db.tx(async (tx) => {
    if ((await findSecondFactor(tx, actor.id))?.confirmedMs == null) throw conflict("two-factor sign-in is off", { reason: "changed_meanwhile" });
    await replaceRecoveryCodes(tx, actor.id, codes.map(hashRecoveryCode));
    await recordEvent(tx, "two_factor.codes_renewed", eventOf(actor), { by: actor });
  });
  return codes;
}

/** The caller's password was accepted only with a code, so no further check is needed. */
export async function removeOwnTwoFactor(deps: { readonly db: Db }, actor: UserActor): Promise<void> {
  requirePassword(actor);
  await deps.db.tx((tx) => removeTwoFactor(tx, actor, actor));
}

/** Lets an administrator help a user without their app and recovery codes. */
export async function removeTwoFactorOf(deps: { readonly db: Db }, actor: UserActor, account: Pick<AccountSubject, "id" | "name">): Promise<void> {
  await deps.db.tx((tx) => removeTwoFactor(tx, account, actor));
}

/** @param by null: the operator, by command. @throws ForgeError `not_found` without a second factor */
export async function removeTwoFactor(tx: Tx, account: Pick<AccountSubject, "id" | "name">, by: Author | null): Promise<void> {
  if (!(await deleteFactor(tx, account.id))) throw notFound();
  await recordEvent(tx, "two_factor.removed", eventOf(account), { by });
}

/** Checks and consumes a second factor: a code of the app, or a recovery code. Each code works once. */
export async function spendSecondFactor(deps: TwoFactorDeps, account: Author, code: string): Promise<boolean> {
  if (!/^\d{6}$/.test(code)) return spendRecovery(deps, account, code);
  const row = await findSecondFactor(deps.db, account.id);
  if (row === undefined) return false;
  const steps = matchingSteps(openSecret(deps, account.id, row.sealedSecret), code, deps.clock.now());
  if (steps.length === 0) return false;
  return deps.db.tx(async (tx) => {
    for (const step of steps) if (await spendStep(tx, account.id, step)) return true;
    return false;
  });
}

async function spendRecovery(deps: TwoFactorDeps, account: Author, code: string): Promise<boolean> {
  // Form fields are unbounded; codes are never longer.
  if (code.length > 64) return false;
  let hash = hashRecoveryCode(code);
  for (const stored of await listImportedCodes(deps.db, account.id)) if (await isImportedCode(stored, code)) hash = stored;
  return deps.db.tx(async (tx) => {
    if (!(await spendRecoveryCode(tx, account.id, hash))) return false;
    await recordEvent(tx, "two_factor.recovered", eventOf(account), { by: account });
    return true;
  });
}

/** A token must not be able to remove or add the factor that protects the password. */
function requirePassword(actor: UserActor): void {
  if (actor.credential.kind !== "password") throw forbidden("this requires the account password; tokens are not accepted");
}

function openSecret({ sealer }: Pick<TwoFactorDeps, "sealer">, accountId: number, sealed: string): string {
  const secret = sealer.open(purpose(accountId), sealed);
  if (secret === undefined) throw new Error(`the second factor of account ${accountId} was sealed with another key than the server's current one`);
  return secret;
}

const isSame = (given: string, secret: string): boolean => {
  const [one, other] = [hashToken(given), hashToken(secret)];
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
};

const newCodes = (): readonly string[] => Array.from({ length: recoveryCodes }, newRecoveryCode);
const eventOf = ({ id, name }: Pick<AccountSubject, "id" | "name">) => ({ accountId: id, name, kind: "user" as const });
