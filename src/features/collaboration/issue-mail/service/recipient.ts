import type { Reader } from "../../../../db/db.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import type { EmailTexts } from "../../../site/mail/texts/english.ts";
import { emailTexts } from "../../../site/mail/texts/texts.ts";
import { findMailbox } from "../store.ts";

/** Somebody who is written to, and whose doing the letter tells of. */
export interface Correspondence {
  readonly recipient: UserView;
  /** His own, shown to be his. */
  readonly email: string;
  /** In his language. */
  readonly texts: EmailTexts;
  /** Undefined: the server itself, or an account that is gone. */
  readonly actor: UserView | undefined;
}

/** Who is to be written to; undefined for who wants no letters, cannot sign in, or has no address that is shown to be his. Two statements. */
export async function findCorrespondence(deps: { readonly db: Reader }, accountId: number, actorId: number | null): Promise<Correspondence | undefined> {
  const mailbox = await findMailbox(deps.db, accountId);
  if (mailbox === undefined || !mailbox.isVerified || mailbox.choice === "disabled") return undefined;
  const users = await loadUsers(deps, actorId === null ? [accountId] : [accountId, actorId]);
  const recipient = users.get(accountId);
  if (recipient === undefined || !recipient.isActive || recipient.prohibitLogin) return undefined;
  const actor = actorId === null ? undefined : users.get(actorId);
  return { recipient, email: mailbox.email, texts: emailTexts(recipient.language), actor };
}
