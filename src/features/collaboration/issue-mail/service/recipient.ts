import type { Reader } from "../../../../db/db.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import { findMailbox } from "../store.ts";

/** Recipient of an email, and the user who caused it. */
export interface Correspondence {
  readonly recipient: UserView;
  /** Their verified address. */
  readonly email: string;
  /** Undefined: the server itself, or a deleted account. */
  readonly actor: UserView | undefined;
}

/** Loads the recipient; undefined if they have disabled email, cannot sign in, or have no verified address. Two statements. */
export async function findCorrespondence(deps: { readonly db: Reader }, accountId: number, actorId: number | null): Promise<Correspondence | undefined> {
  const mailbox = await findMailbox(deps.db, accountId);
  if (mailbox === undefined || !mailbox.isVerified || mailbox.choice === "disabled") return undefined;
  const users = await loadUsers(deps, actorId === null ? [accountId] : [accountId, actorId]);
  const recipient = users.get(accountId);
  if (recipient === undefined || !recipient.isActive || recipient.prohibitLogin) return undefined;
  const actor = actorId === null ? undefined : users.get(actorId);
  return { recipient, email: mailbox.email, actor };
}
