import type { Clock } from "../../../../core/clock.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { viaEmail } from "../../../accounts/recovery/service/passwords.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import { editSettings } from "../../../accounts/users/service/settings.ts";
import { declineNews } from "../../issues/links/service/subscriptions.ts";
import { readCode, type Unsubscribing } from "../unsubscribing.ts";

/** @throws ForgeError `not_found` for a link that no email contains */
export function checkCode({ sealer }: { readonly sealer: Sealer }, code: string): Unsubscribing {
  const subscription = readCode(sealer, code);
  if (subscription === undefined)
    throw notFound("This unsubscribe link is invalid. Open the complete link from the email.", { reason: "unsubscribe_link_invalid" });
  return subscription;
}

/** The language of the link's recipient; empty if they have not chosen one. */
export async function languageOf(deps: { readonly db: Reader }, { accountId }: Pick<Unsubscribing, "accountId">): Promise<string> {
  return (await loadUsers(deps, [accountId])).get(accountId)?.language ?? "";
}

export interface UnsubscribeDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sealer: Sealer;
}

/**
 * Unsubscribes the link's recipient from the conversation, or from all such emails if the link names none. Idempotent.
 * @param address IP address of the request
 * @returns the subscription that has ended
 * @throws ForgeError as {@link checkCode}
 */
export async function unsubscribe(deps: UnsubscribeDeps, code: string, address: string): Promise<Unsubscribing> {
  const subscription = checkCode(deps, code);
  const { issueId, accountId } = subscription;
  if (issueId === null) await declineEmails(deps, accountId, address);
  else await deps.db.tx((tx) => declineNews(tx, issueId, accountId));
  return subscription;
}

async function declineEmails(deps: UnsubscribeDeps, accountId: number, address: string): Promise<void> {
  const reader = (await loadUsers(deps, [accountId])).get(accountId);
  if (reader !== undefined) await editSettings(deps, viaEmail(accountId, reader.name, address), { emailNotifications: "disabled" });
}
