import { timingSafeEqual } from "node:crypto";
import type { Sealer } from "../../core/sealer.ts";

/** Who is to hear no more of which issue. */
export interface Unsubscribing {
  readonly accountId: number;
  readonly issueId: number;
}

const sign = (sealer: Sealer, { accountId, issueId }: Unsubscribing): string => sealer.sign("unsubscribe from an issue", `${accountId} ${issueId}`);

/** What a letter's link carries: it opens nothing but this, and needs no sign-in. */
export const writeCode = (sealer: Sealer, wish: Unsubscribing): string => `${wish.accountId}.${wish.issueId}.${sign(sealer, wish)}`;

/** @returns undefined for what this server has not written */
export function readCode(sealer: Sealer, code: string): Unsubscribing | undefined {
  const [, accountId, issueId, signature] = /^(\d{1,15})\.(\d{1,15})\.([0-9a-f]{64})$/.exec(code) ?? [];
  if (accountId === undefined || issueId === undefined || signature === undefined) return undefined;
  const wish = { accountId: Number(accountId), issueId: Number(issueId) };
  return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(sealer, wish))) ? wish : undefined;
}
