import type { UserActor } from "../../../access/actor.ts";
import { isSiteAdmin } from "../../../access/actor.ts";
import type { OrganizationSubject } from "../../../access/subjects.ts";
import { forbidden, invalid } from "../../../core/errors.ts";
import { formatTime } from "../../../core/time.ts";
import type { Db, Reader, Tx } from "../../../db/db.ts";
import type { AccessEventType } from "../../../events/access-events.ts";
import { type Author, type EventInTransaction, recordEvent } from "../../../events/events.ts";
import { findAccountView } from "../../accounts/users/service/accounts.ts";
import { describe } from "./describe.ts";
import type { AuditEntry, AuditPage, AuditQuery, Named } from "./model.ts";
import { deleteEntriesBefore, insertEntries, listEntries, loadNames, type Person } from "./store.ts";

/** Writes the entries for a transaction's access changes, in that transaction. */
export async function writeEntries(tx: Tx, events: readonly EventInTransaction<AccessEventType>[]): Promise<void> {
  const entries = events.map((event) => ({ event, ...describe(event.type, event.payload as never) }));
  const nameless = entries.flatMap(({ account }) => (account !== undefined && account.name === undefined ? [account.id] : []));
  const names = await loadNames(tx, nameless);
  await insertEntries(
    tx,
    entries.map(({ event, target, account, details }) => ({
      createdMs: event.createdMs,
      action: event.type,
      ...authorship(event.by ?? null),
      target,
      account: account === undefined ? null : { id: account.id, name: account.name ?? names.get(account.id) ?? "" },
      details,
    })),
  );
}

const noActor: Named = { id: null, name: "" };

/** The responsible author of a change: with sudo, the administrator. */
function authorship(by: Author | null): Pick<AuditEntry, "actor" | "actingAs" | "carrier" | "credentialId" | "address"> {
  if (by === null) return { actor: noActor, actingAs: null, carrier: "system", credentialId: null, address: "" };
  const self: Named = by.id === 0 ? noActor : { id: by.id, name: by.name };
  const { kind, tokenId, session } = by.credential;
  return {
    actor: by.impersonator ?? self,
    actingAs: by.impersonator === undefined ? null : self,
    carrier: kind === "system" ? "cli" : kind,
    credentialId: tokenId ?? session?.id ?? null,
    address: by.address ?? "",
  };
}

/** A page of the log, newest entries first. For site administrators. @throws ForgeError `forbidden` for others */
export async function listAudit(deps: { readonly db: Reader }, actor: UserActor, query: AuditQuery): Promise<AuditPage> {
  if (!isSiteAdmin(actor)) throw forbidden("user should be the site admin");
  const { action, target, sinceMs, beforeMs, cursor, limit } = query;
  const filter = { actor: await personOf(deps, query.actor), account: await personOf(deps, query.account), action, target, sinceMs, beforeMs };
  const entries = await listEntries(deps.db, { ...filter, olderThanId: cursor }, limit + 1);
  const shown = entries.slice(0, limit);
  return { entries: shown, next: entries.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

/**
 * The changes of access in an organization, newest first: of itself, its teams and its repositories. For its owners, who do not see the
 * credentials and addresses of others.
 * @throws ForgeError `forbidden` for others
 */
export async function listOrganizationAudit(
  deps: { readonly db: Reader },
  organization: Pick<OrganizationSubject, "id" | "name" | "isOwner">,
  { action, cursor, limit }: Pick<AuditQuery, "action" | "cursor" | "limit">,
): Promise<AuditPage> {
  if (!organization.isOwner) throw forbidden("Must be an organization owner");
  const entries = await listEntries(deps.db, { organization, action, olderThanId: cursor }, limit + 1);
  const shown = entries.slice(0, limit).map((entry) => ({ ...entry, credentialId: null, address: "" }));
  return { entries: shown, next: entries.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

/** Entries read by one statement of an export. */
const exportedEntries = 500;

/** All entries that match, newest first, in pieces of one statement each. @throws ForgeError `forbidden` for users who are no site administrators */
export async function* eachEntry(
  deps: { readonly db: Reader },
  actor: UserActor,
  query: Omit<AuditQuery, "cursor" | "limit">,
): AsyncGenerator<readonly AuditEntry[]> {
  let cursor: number | null | undefined;
  while (cursor !== null) {
    const { entries, next }: AuditPage = await listAudit(deps, actor, { ...query, cursor, limit: exportedEntries });
    yield entries;
    cursor = next;
  }
}

/** Names can be reused, so an existing account is searched by id. */
async function personOf(deps: { readonly db: Reader }, name: string | undefined): Promise<Person | undefined> {
  if (name === undefined || name === "") return undefined;
  const account = await findAccountView(deps, name);
  return account === undefined ? { name } : { id: account.id };
}

/** Deletes entries from before a time and records that. For the operator. @returns the number of deleted entries */
export async function pruneAudit(deps: { readonly db: Db }, by: Author, beforeMs: number): Promise<number> {
  return deps.db.tx(async (tx) => {
    if (beforeMs > tx.nowMs) throw invalid("the time is in the future");
    const count = await deleteEntriesBefore(tx, beforeMs);
    await recordEvent(tx, "audit.pruned", { before: formatTime(beforeMs), count }, { by });
    return count;
  });
}
