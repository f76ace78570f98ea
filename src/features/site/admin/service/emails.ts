import type { UserActor } from "../../../../access/actor.ts";
import type { AccountSubject } from "../../../../access/subjects.ts";
import type { Db } from "../../../../db/db.ts";
import type { Author } from "../../../../events/events.ts";
import { addEmails, removeEmails } from "../../../accounts/users/service/emails.ts";

/** Adds an address to a user as an administrator; it is verified. Throws as {@link addEmails}. */
export async function addEmailOf(deps: { readonly db: Db }, admin: UserActor, account: AccountSubject, email: string): Promise<void> {
  await addEmails(deps, actingAs(admin, account), [email]);
}

/** Removes an address from a user as an administrator. Throws as {@link removeEmails}. */
export const removeEmailOf = (deps: { readonly db: Db }, admin: UserActor, account: AccountSubject, email: string): Promise<void> =>
  removeEmails(deps, actingAs(admin, account), [email]);

/** The administrator acting as the user, as with `Sudo` in the API. */
const actingAs = ({ id, name, credential, address }: UserActor, account: AccountSubject): Author => ({
  id: account.id,
  name: account.name,
  credential,
  ...(address !== undefined && { address }),
  impersonator: { id, name },
});
