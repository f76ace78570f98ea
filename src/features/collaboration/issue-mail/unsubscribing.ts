import { timingSafeEqual } from "node:crypto";
import type { Sealer } from "../../../core/sealer.ts";
import type { Urls } from "../../../core/urls.ts";

/** A link's account and issue; null: all emails. */
export interface Unsubscribing {
  readonly accountId: number;
  readonly issueId: number | null;
}

const everything = "all";

const subjectOf = ({ issueId }: Unsubscribing): string => (issueId === null ? everything : String(issueId));

const sign = (sealer: Sealer, subscription: Unsubscribing): string =>
  sealer.sign("unsubscribe from an issue", `${subscription.accountId} ${subjectOf(subscription)}`);

/** Code of an unsubscribe link: it permits only this, and needs no sign-in. */
const writeCode = (sealer: Sealer, subscription: Unsubscribing): string => `${subscription.accountId}.${subjectOf(subscription)}.${sign(sealer, subscription)}`;

export const unsubscribeUrl = ({ sealer, urls }: { readonly sealer: Sealer; readonly urls: Urls }, subscription: Unsubscribing): string =>
  `${urls.web("user", "unsubscribe")}?code=${writeCode(sealer, subscription)}`;

/** @returns undefined for a code that this server has not signed */
export function readCode(sealer: Sealer, code: string): Unsubscribing | undefined {
  const [, accountId, subject, signature] = /^(\d{1,15})\.(\d{1,15}|all)\.([0-9a-f]{64})$/.exec(code) ?? [];
  if (accountId === undefined || subject === undefined || signature === undefined) return undefined;
  const subscription = { accountId: Number(accountId), issueId: subject === everything ? null : Number(subject) };
  return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(sealer, subscription))) ? subscription : undefined;
}
