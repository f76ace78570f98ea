import type { Clock } from "../../../../core/clock.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { viaEmail } from "../../../accounts/recovery/service/passwords.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import { editSettings } from "../../../accounts/users/service/settings.ts";
import { declineNews } from "../../issues/links/service/subscriptions.ts";
import { readCode, type Unsubscribing } from "../unsubscribing.ts";

/** @throws ForgeError `not_found` for a link that no letter has brought */
export function checkCode({ sealer }: { readonly sealer: Sealer }, code: string): Unsubscribing {
  const wish = readCode(sealer, code);
  if (wish === undefined) throw notFound("This link is not one that this server has sent. Perhaps a part of it is missing.");
  return wish;
}

/** The language of the letters of a link's reader; empty where he has chosen none. */
export async function languageOf(deps: { readonly db: Reader }, { accountId }: Pick<Unsubscribing, "accountId">): Promise<string> {
  return (await loadUsers(deps, [accountId])).get(accountId)?.language ?? "";
}

export interface UnsubscribeDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sealer: Sealer;
}

/**
 * Whoever holds a letter ends its conversation for its reader, or all such letters where it belongs to none; doing it again changes nothing.
 * @param address where the wish comes from
 * @returns what he hears no more of
 * @throws ForgeError as {@link checkCode}
 */
export async function unsubscribe(deps: UnsubscribeDeps, code: string, address: string): Promise<Unsubscribing> {
  const wish = checkCode(deps, code);
  const { issueId, accountId } = wish;
  if (issueId === null) await declineEmails(deps, accountId, address);
  else await deps.db.tx((tx) => declineNews(tx, issueId, accountId));
  return wish;
}

async function declineEmails(deps: UnsubscribeDeps, accountId: number, address: string): Promise<void> {
  const reader = (await loadUsers(deps, [accountId])).get(accountId);
  if (reader !== undefined) await editSettings(deps, viaEmail(accountId, reader.name, address), { emailNotifications: "disabled" });
}
