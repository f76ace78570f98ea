import type { UserActor } from "../../../../access/actor.ts";
import type { AccountSubject } from "../../../../access/subjects.ts";
import type { Db } from "../../../../db/db.ts";
import type { Author } from "../../../../events/events.ts";
import { addEmails, removeEmails } from "../../../accounts/users/service/emails.ts";

/** An administrator gives a user a further address, and answers for it: it is verified. Throws as {@link addEmails}. */
export async function addEmailOf(deps: { readonly db: Db }, admin: UserActor, account: AccountSubject, email: string): Promise<void> {
  await addEmails(deps, actingAs(admin, account), [email]);
}

/** An administrator takes a further address from a user. Throws as {@link removeEmails}. */
export const removeEmailOf = (deps: { readonly db: Db }, admin: UserActor, account: AccountSubject, email: string): Promise<void> =>
  removeEmails(deps, actingAs(admin, account), [email]);

/** The administrator in the user's place, as programs are by `Sudo`. */
const actingAs = ({ id, name, credential, address }: UserActor, account: AccountSubject): Author => ({
  id: account.id,
  name: account.name,
  credential,
  ...(address !== undefined && { address }),
  impersonator: { id, name },
});
