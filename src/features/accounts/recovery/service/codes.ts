import type { Clock } from "../../../../core/clock.ts";
import { type ForgeError, malformed } from "../../../../core/errors.ts";
import { hashToken, randomToken } from "../../../../core/secrets.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { type CodePurpose, type CodeRow, deleteExpired, findCode, putCode, takeCode } from "../store/codes.ts";

const hourMs = 3_600_000;
/** Lifetime of a code; short for codes that open an account. */
const livesMs: Readonly<Record<CodePurpose, number>> = { password: hourMs, email: 72 * hourMs };

/** Creates a code for an email. @returns the code, which is only in the email */
export async function makeCode(
  deps: { readonly clock: Clock },
  tx: Tx,
  purpose: CodePurpose,
  to: { readonly accountId: number; readonly email: string },
): Promise<string> {
  const text = randomToken();
  const now = deps.clock.now();
  await putCode(tx, { ...to, purpose, hash: hashToken(text), now, expiresMs: now + livesMs[purpose] });
  return text;
}

/** @throws ForgeError `malformed` for a code that is wrong, used, expired, replaced by a newer one, or invalidated by a later change */
export async function readCode(deps: { readonly db: Reader; readonly clock: Clock }, purpose: CodePurpose, text: string): Promise<CodeRow> {
  const code = await findCode(deps.db, purpose, hashToken(text));
  if (code === undefined || !code.isGood || code.expiresMs <= deps.clock.now()) throw noLongerGood();
  return code;
}

/** Reads and consumes a code; of two concurrent uses one succeeds. */
export async function useCode(deps: { readonly clock: Clock }, tx: Tx, purpose: CodePurpose, text: string): Promise<CodeRow> {
  const code = await readCode({ ...deps, db: tx }, purpose, text);
  if (!(await takeCode(tx, code.id))) throw noLongerGood();
  return code;
}

/** The error for a link that is invalid or expired. */
export const noLongerGood = (): ForgeError =>
  malformed("This link is no longer valid: it was used, it has expired, or a newer email contains another one. Request a new email.", {
    reason: "link_expired",
  });

/** Deletes expired codes. */
export const pruneCodes = ({ db, clock }: { readonly db: Db; readonly clock: Clock }): Promise<void> => db.tx((tx) => deleteExpired(tx, clock.now()));
