import { timingSafeEqual } from "node:crypto";
import type { Sealer } from "../../../core/sealer.ts";
import type { Urls } from "../../../core/urls.ts";

/** Who is to hear no more of which issue; null: of anything. */
export interface Unsubscribing {
  readonly accountId: number;
  readonly issueId: number | null;
}

const everything = "all";

const subjectOf = ({ issueId }: Unsubscribing): string => (issueId === null ? everything : String(issueId));

const sign = (sealer: Sealer, wish: Unsubscribing): string => sealer.sign("unsubscribe from an issue", `${wish.accountId} ${subjectOf(wish)}`);

/** What a letter's link carries: it opens nothing but this, and needs no sign-in. */
const writeCode = (sealer: Sealer, wish: Unsubscribing): string => `${wish.accountId}.${subjectOf(wish)}.${sign(sealer, wish)}`;

export const unsubscribeUrl = ({ sealer, urls }: { readonly sealer: Sealer; readonly urls: Urls }, wish: Unsubscribing): string =>
  `${urls.web("user", "unsubscribe")}?code=${writeCode(sealer, wish)}`;

/** @returns undefined for what this server has not written */
export function readCode(sealer: Sealer, code: string): Unsubscribing | undefined {
  const [, accountId, subject, signature] = /^(\d{1,15})\.(\d{1,15}|all)\.([0-9a-f]{64})$/.exec(code) ?? [];
  if (accountId === undefined || subject === undefined || signature === undefined) return undefined;
  const wish = { accountId: Number(accountId), issueId: subject === everything ? null : Number(subject) };
  return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(sealer, wish))) ? wish : undefined;
}
