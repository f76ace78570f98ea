import { notFound } from "../../../core/errors.ts";
import type { Sealer } from "../../../core/sealer.ts";
import type { Db } from "../../../db/db.ts";
import { declineNews } from "../../issues/service/subscriptions.ts";
import { readCode, type Unsubscribing } from "../unsubscribing.ts";

/** @throws ForgeError `not_found` for a link that no letter has brought */
export function checkCode({ sealer }: { readonly sealer: Sealer }, code: string): Unsubscribing {
  const wish = readCode(sealer, code);
  if (wish === undefined) throw notFound("This link is not one that this server has sent. Perhaps a part of it is missing.");
  return wish;
}

/** Whoever holds the letter ends its conversation for its reader; doing it again changes nothing. @throws ForgeError as {@link checkCode} */
export async function unsubscribe(deps: { readonly db: Db; readonly sealer: Sealer }, code: string): Promise<void> {
  const { issueId, accountId } = checkCode(deps, code);
  await deps.db.tx((tx) => declineNews(tx, issueId, accountId));
}
