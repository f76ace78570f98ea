import type { Clock } from "../../../../core/clock.ts";
import { isForgeError, unavailable } from "../../../../core/errors.ts";
import type { Log } from "../../../../core/log.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Db } from "../../../../db/db.ts";
import type { PasswordSources } from "../../users/service/password-sources.ts";
import { findSourcedAccount, refreshSourcedAccount } from "../../users/service/sourced-accounts.ts";
import { type DirectoryPerson, signInToDirectory } from "../ldap/directory.ts";
import type { LdapSource } from "../model.ts";
import { findSource, loadActiveSources } from "../store/sources.ts";
import { registerPerson } from "./register.ts";
import { openSecret } from "./secret.ts";

export interface PasswordSourceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly sealer: Sealer;
}

/** Longer than any name or password in a directory. */
const maxLength = 255;
/** Limit of concurrent directory requests. Further sign-ins are rejected without waiting. */
const maxAtOnce = 32;

/** Passwords checked by directories (LDAP). */
export function createPasswordSources(deps: PasswordSourceDeps): PasswordSources {
  const { db, log } = deps;
  let asking = 0;

  async function ask(source: LdapSource, login: string, password: string): Promise<DirectoryPerson | undefined> {
    if (login.length > maxLength || password.length > maxLength || /[\x00-\x1f\x7f]/.test(login)) return undefined;
    if (asking >= maxAtOnce) throw unavailable(`too many users are signing in with ${source.name} at once; try again in a moment`, { retryAfter: 2 });
    asking += 1;
    try {
      return await signInToDirectory({ settings: source.settings, secret: openSecret(deps.sealer, source) }, login, password);
    } catch (error) {
      if (!isForgeError(error, "unavailable")) throw error;
      log.warn({ err: error.options.cause ?? error, source: source.name, ...error.options.meta }, "a directory cannot be reached");
      throw unavailable(`${source.name}, which checks the password of this account, cannot be reached at the moment; try again later`, {
        cause: error.options.cause ?? error,
        retryAfter: 30,
      });
    } finally {
      asking -= 1;
    }
  }

  /** The account of a user whose password was correct. */
  async function accountOf(source: LdapSource, person: DirectoryPerson): Promise<number | undefined> {
    const known = await findSourcedAccount(deps, source.id, person.loginName);
    if (known !== undefined) {
      await refreshSourcedAccount(deps, known, person);
      return known;
    }
    if (!source.autoRegister) return undefined;
    try {
      return await registerPerson(deps, source, person, person.loginName);
    } catch (error) {
      // Of two concurrent first requests, one creates the account.
      const made = await findSourcedAccount(deps, source.id, person.loginName);
      if (made === undefined) throw error;
      return made;
    }
  }

  return {
    async verify(account, password) {
      const source = await findSource(db, account.sourceId);
      if (source?.kind === "oidc") return undefined;
      if (source === undefined || !source.isActive) return false;
      const login = account.loginName === "" ? account.name : account.loginName;
      const person = await ask(source, login, password);
      if (person === undefined) return false;
      await refreshSourcedAccount(deps, account.id, person);
      return true;
    },

    async admit(login, password) {
      let unreachable: unknown;
      for (const source of await loadActiveSources(db, "ldap")) {
        let person: DirectoryPerson | undefined;
        try {
          person = await ask(source, login, password);
        } catch (error) {
          if (!isForgeError(error, "unavailable")) throw error;
          unreachable ??= error;
          continue;
        }
        const account = person && (await accountOf(source, person));
        if (account !== undefined) return account;
      }
      // The unreachable source may know the user that the others do not.
      if (unreachable !== undefined) throw unreachable;
      return undefined;
    },
  };
}
