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

/** Longer than any name or password that a directory holds. */
const maxLength = 255;
/** Directories are asked so many questions at once; who comes then waits no time, he is told to come again. */
const maxAtOnce = 32;

/** Passwords that are kept in directories (LDAP). */
export function createPasswordSources(deps: PasswordSourceDeps): PasswordSources {
  const { db, log } = deps;
  let asking = 0;

  async function ask(source: LdapSource, login: string, password: string): Promise<DirectoryPerson | undefined> {
    if (login.length > maxLength || password.length > maxLength || /[\x00-\x1f\x7f]/.test(login)) return undefined;
    if (asking >= maxAtOnce) throw unavailable(`too many people sign in by ${source.name} at once; try again in a moment`, { retryAfter: 2 });
    asking += 1;
    try {
      return await signInToDirectory({ settings: source.settings, secret: openSecret(deps.sealer, source) }, login, password);
    } catch (error) {
      if (!isForgeError(error, "unavailable")) throw error;
      log.warn({ err: error.options.cause ?? error, source: source.name, ...error.options.meta }, "a directory cannot be asked");
      throw unavailable(`${source.name}, which keeps the password of this account, cannot be reached at the moment; try again later`, {
        cause: error.options.cause ?? error,
        retryAfter: 30,
      });
    } finally {
      asking -= 1;
    }
  }

  /** The account of somebody whose password was right there. */
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
      // Of two first requests at once one makes the account.
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
      // Whoever is not known by those that answer may be known by the other.
      if (unreachable !== undefined) throw unreachable;
      return undefined;
    },
  };
}
