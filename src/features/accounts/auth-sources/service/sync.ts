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
 * Brings the accounts of directories up to what these say now, and shuts out whom they do not know any longer. A directory that is out of
 * reach changes nothing; the others are asked nonetheless.
 */
export async function syncDirectories(deps: SyncDeps): Promise<void> {
  for (const source of (await loadActiveSources(deps.db, "ldap")).filter(({ settings }) => canLookUp(settings))) {
    try {
      await syncDirectory(deps, source);
    } catch (error) {
      if (!isForgeError(error, "unavailable")) throw error;
      deps.log.warn({ err: error.options.cause ?? error, source: source.name }, "a directory cannot be asked about its people");
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
  // Where nobody at all is left, it is rather the question that has become a wrong one.
  if ([...people.values()].every((person) => person === null)) {
    deps.log.warn({ source: source.name, accounts: accounts.length }, "a directory knows none of its people any longer: they are left as they are");
    return;
  }
  let deactivated = 0;
  for (const { id, login } of accounts) {
    const person = people.get(login);
    if (person === null) deactivated += (await deactivateSourced(deps, id, source.id)) ? 1 : 0;
    else if (person !== undefined) await refreshSourcedAccount(deps, id, person);
  }
  deps.log.info({ source: source.name, accounts: accounts.length, deactivated }, "the accounts of a directory were brought up to it");
}
