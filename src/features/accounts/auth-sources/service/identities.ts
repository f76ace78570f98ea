import type { UserActor } from "../../../../access/actor.ts";
import { conflict, invalid, notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { type Author, recordEvent } from "../../../../events/events.ts";
import { hasPassword, leaveSource } from "../../users/service/sourced-accounts.ts";
import type { IdentityView, OidcSource } from "../model.ts";
import { deleteIdentity, findIdentityOf, insertIdentity, pageIdentities } from "../store/identities.ts";

export const listIdentities = (deps: { readonly db: Reader }, actor: UserActor, page: Page): Promise<Paged<IdentityView>> =>
  pageIdentities(deps.db, actor.id, page);

export interface NewIdentity {
  readonly account: { readonly id: number; readonly name: string };
  readonly source: Pick<OidcSource, "id" | "name">;
  readonly subject: string;
  readonly label: string;
}

/** Lets an identity sign in to an account, inside the caller's transaction. Throws the database's unique violations. */
export async function addIdentity(tx: Tx, { account, source, subject, label }: NewIdentity, by: Author | null): Promise<void> {
  await insertIdentity(tx, { accountId: account.id, sourceId: source.id, subject, label });
  await recordEvent(tx, "identity.linked", { accountId: account.id, name: account.name, sourceId: source.id, sourceName: source.name, subject }, { by });
}

/**
 * Links an identity to the caller's account. The caller has just proved that it is theirs.
 * @throws ForgeError `conflict` if it is linked to another account, or if the caller has linked another identity of that source
 */
export async function linkIdentity(deps: { readonly db: Db }, actor: UserActor, identity: Omit<NewIdentity, "account">): Promise<void> {
  try {
    await deps.db.tx((tx) => addIdentity(tx, { ...identity, account: actor }, actor));
  } catch (error) {
    const { label, source } = identity;
    if (isUniqueViolation(error, "external_identities.source_id,subject"))
      throw conflict(`${label} at ${source.name} is linked to an account here already.`, { reason: "identity_linked" });
    if (isUniqueViolation(error, "external_identities.account_id,source_id")) {
      throw conflict(`Your account is linked to another identity at ${source.name}: unlink that one first.`, { reason: "identity_elsewhere" });
    }
    throw error;
  }
}

/** Removes one of the caller's links. @throws ForgeError `not_found`; `invalid` for the user's only way to sign in */
export async function unlinkIdentity(deps: { readonly db: Db }, actor: UserActor, id: number): Promise<void> {
  await deps.db.tx(async (tx) => {
    const identity = await findIdentityOf(tx, actor.id, id);
    if (identity === undefined) throw notFound();
    const { total } = await pageIdentities(tx, actor.id, { page: 1, limit: 1, offset: 0 });
    if (total <= 1 && !(await hasPassword(tx, actor.id)))
      throw invalid("This is the only way by which you can sign in. Set a password, or link another identity, first.", { reason: "only_sign_in" });
    await deleteIdentity(tx, id);
    await leaveSource(tx, actor.id, identity.sourceId);
    const { sourceId, sourceName, subject } = identity;
    await recordEvent(tx, "identity.unlinked", { accountId: actor.id, name: actor.name, sourceId, sourceName, subject }, { by: actor });
  });
}
