import type { Clock } from "../../../../core/clock.ts";
import { type ForgeError, malformed } from "../../../../core/errors.ts";
import { hashToken, randomToken } from "../../../../core/secrets.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { type CodePurpose, type CodeRow, deleteExpired, findCode, putCode, takeCode } from "../store/codes.ts";

const hourMs = 3_600_000;
/** How long a code is good: what opens an account not for long. */
const livesMs: Readonly<Record<CodePurpose, number>> = { password: hourMs, email: 72 * hourMs };

/** Makes a code for a letter to an address. @returns its text, which is in the letter alone */
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

/** @throws ForgeError `malformed` for a code that is wrong, used, replaced by a newer one, too old, or worthless by what has changed since */
export async function readCode(deps: { readonly db: Reader; readonly clock: Clock }, purpose: CodePurpose, text: string): Promise<CodeRow> {
  const code = await findCode(deps.db, purpose, hashToken(text));
  if (code === undefined || !code.isGood || code.expiresMs <= deps.clock.now()) throw noLongerGood();
  return code;
}

/** The same, and it is used up: of two who come with it at once one is let through. */
export async function useCode(deps: { readonly clock: Clock }, tx: Tx, purpose: CodePurpose, text: string): Promise<CodeRow> {
  const code = await readCode({ ...deps, db: tx }, purpose, text);
  if (!(await takeCode(tx, code.id))) throw noLongerGood();
  return code;
}

/** What a link of a letter is answered that opens nothing. */
export const noLongerGood = (): ForgeError =>
  malformed("This link is no longer good: it was used, it is too old, or a newer letter has another one. Ask for a new letter.");

/** Forgets codes that are too old. */
export const pruneCodes = ({ db, clock }: { readonly db: Db; readonly clock: Clock }): Promise<void> => db.tx((tx) => deleteExpired(tx, clock.now()));
