import { isForgeError } from "../../../../core/errors.ts";
import type { Log } from "../../../../core/log.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Db } from "../../../../db/db.ts";
import { deactivateSourced, listSourcedLogins, refreshSourcedAccount } from "../../users/service/sourced-accounts.ts";
import { canLookUp, lookUpPeople } from "../ldap/directory.ts";
import type { LdapSource } from "../model.ts";
import { loadActiveSources } from "../store/sources.ts";
import { openSecret } from "./secret.ts";

export interface SyncDeps {
  readonly db: Db;
  readonly log: Log;
  readonly sealer: Sealer;
}

/**
 * Updates the accounts of directories to the directories' data and deactivates accounts that a directory no longer knows. An
 * unreachable directory is skipped; the others are still synchronized.
 */
export async function syncDirectories(deps: SyncDeps): Promise<void> {
  for (const source of (await loadActiveSources(deps.db, "ldap")).filter(({ settings }) => canLookUp(settings))) {
    try {
      await syncDirectory(deps, source);
    } catch (error) {
      if (!isForgeError(error, "unavailable")) throw error;
      deps.log.warn({ err: error.options.cause ?? error, source: source.name }, "a directory cannot be searched for its users");
    }
  }
}

async function syncDirectory(deps: SyncDeps, source: LdapSource): Promise<void> {
  const accounts = await listSourcedLogins(deps, source.id);
  if (accounts.length === 0) return;
  const people = await lookUpPeople(
    { settings: source.settings, secret: openSecret(deps.sealer, source) },
    accounts.map(({ login }) => login),
  );
  // If every user is gone, the search itself is more likely wrong.
  if ([...people.values()].every((person) => person === null)) {
    deps.log.warn({ source: source.name, accounts: accounts.length }, "a directory no longer knows any of its users: the accounts are left unchanged");
    return;
  }
  let deactivated = 0;
  for (const { id, login } of accounts) {
    const person = people.get(login);
    if (person === null) deactivated += (await deactivateSourced(deps, id, source.id)) ? 1 : 0;
    else if (person !== undefined) await refreshSourcedAccount(deps, id, person);
  }
  deps.log.info({ source: source.name, accounts: accounts.length, deactivated }, "synchronized the accounts of a directory");
}
