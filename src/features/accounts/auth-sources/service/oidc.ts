import { LRUCache } from "lru-cache";
import type { Configuration } from "openid-client";
import { type Actor, isUser } from "../../../../access/actor.ts";
import type { Clock } from "../../../../core/clock.ts";
import { forbidden, isForgeError, malformed, notFound } from "../../../../core/errors.ts";
import type { Log } from "../../../../core/log.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { findSignInAccount, findVerifiedOwner, type SignInAccount } from "../../users/service/sign-in-accounts.ts";
import { refreshSourcedAccount } from "../../users/service/sourced-accounts.ts";
import type { OidcSource } from "../model.ts";
import { beginAuthorization, discover, finishAuthorization, type OidcPerson, type SignInAttempt } from "../oidc/provider.ts";
import { callbackPath } from "../settings.ts";
import { findIdentity, touchIdentity } from "../store/identities.ts";
import { findSourceByName, loadActiveSources } from "../store/sources.ts";
import { addIdentity, linkIdentity } from "./identities.ts";
import { createProviderFetch } from "./provider-fetch.ts";
import { registerPerson } from "./register.ts";
import { openSecret } from "./secret.ts";

export interface OidcDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly sealer: Sealer;
  readonly urls: Urls;
}

/** The purpose of a trip to a provider. */
export interface Intent {
  /** Where to go afterwards, on this server. */
  readonly redirectTo: string;
  /** The account to link; undefined: sign in. */
  readonly linksAccount?: number | undefined;
}

/** The sealed state that the browser keeps during the attempt. */
interface Kept extends SignInAttempt, Intent {
  readonly expiresMs: number;
}

export type Outcome =
  | { readonly kind: "signed-in"; readonly account: SignInAccount; readonly redirectTo: string }
  | { readonly kind: "linked"; readonly redirectTo: string };

/** Lifetime of an attempt. */
export const attemptSeconds = 600;
/** Lifetime of a cached discovery document. */
const discoveryMs = 3_600_000;

/** Sign-in through OpenID Connect providers. */
export function createOidcSignIn(deps: OidcDeps) {
  const { db, clock, sealer, urls, log } = deps;
  const providers = new LRUCache<string, Configuration>({ max: 100, ttl: discoveryMs });

  /** @throws ForgeError `not_found`, also for an inactive source */
  async function activeSource(name: string): Promise<OidcSource> {
    const source = await findSourceByName(db, name);
    if (source?.kind !== "oidc" || !source.isActive) throw notFound(`There is no sign-in source called ${name.slice(0, 50)}.`);
    return source;
  }

  async function providerOf(source: OidcSource): Promise<Configuration> {
    const key = `${source.id} ${source.updatedMs}`;
    const known = providers.get(key);
    if (known !== undefined) return known;
    const provider = await discover(source.settings, openSecret(sealer, source), createProviderFetch);
    providers.set(key, provider);
    return provider;
  }

  const purposeOf = (source: OidcSource): string => `OpenID Connect attempt ${source.id}`;

  /** @returns the account: linked, created now, or found by address if the source allows it */
  async function accountOf(source: OidcSource, person: OidcPerson): Promise<number> {
    const known = await findIdentity(db, source.id, person.subject);
    if (known !== undefined) {
      await db.tx((tx) => touchIdentity(tx, known.id, person.label));
      await refreshSourcedAccount(deps, known.accountId, { isAdmin: person.isAdmin, isRestricted: person.isRestricted });
      return known.accountId;
    }
    const identity = { source, subject: person.subject, label: person.label };
    const owner = source.settings.linksByEmail && person.email !== "" ? await findVerifiedOwner(deps, person.email) : undefined;
    if (owner !== undefined) {
      try {
        await db.tx((tx) => addIdentity(tx, { ...identity, account: owner }, null));
      } catch (error) {
        if (!isUniqueViolation(error, "external_identities.account_id,source_id")) throw error;
        throw forbidden(`The account of ${person.email} is linked to another identity at ${source.name}. Ask an administrator.`, {
          reason: { code: "identity_of_other_account", email: person.email, source: source.name },
        });
      }
      return owner.id;
    }
    if (!source.autoRegister) {
      throw forbidden(
        `No account is linked to ${person.label} at ${source.name}. Sign in with your password and link it, or ask an administrator for an account.`,
        {
          reason: { code: "identity_without_account", label: person.label, source: source.name },
        },
      );
    }
    return registerPerson(deps, source, person, person.subject, (tx, account) => addIdentity(tx, { ...identity, account }, null));
  }

  return {
    /** The sources that the sign-in page offers. One statement. */
    async offers(): Promise<readonly { readonly name: string }[]> {
      return (await loadActiveSources(db, "oidc")).map(({ name }) => ({ name }));
    },

    /** Starts an attempt: returns the address for the browser and the state that it keeps. @throws ForgeError `not_found`, `unavailable` */
    async begin(sourceName: string, intent: Intent): Promise<{ readonly address: string; readonly kept: string }> {
      const source = await activeSource(sourceName);
      const provider = await providerOf(source);
      const { address, attempt } = await beginAuthorization(provider, source.settings, urls.web(...callbackPath(source.name)));
      const kept: Kept = { ...attempt, ...intent, expiresMs: clock.now() + attemptSeconds * 1_000 };
      return { address, kept: sealer.seal(purposeOf(source), JSON.stringify(kept)) };
    },

    /**
     * Completes an attempt.
     * @param url path and query of the request
     * @param actor the user signed in with this browser, for linking
     * @throws ForgeError `malformed` for a response that does not match an attempt of this browser; `forbidden` for a user who may not
     * sign in; `conflict`; `unavailable`
     */
    async finish(sourceName: string, url: string, sealed: string | undefined, actor: Actor): Promise<Outcome> {
      const source = await activeSource(sourceName);
      const opened = sealed === undefined ? undefined : sealer.open(purposeOf(source), sealed);
      const kept = opened === undefined ? undefined : (JSON.parse(opened) as Kept);
      if (kept === undefined || kept.expiresMs <= clock.now())
        throw malformed(`This browser has not started a sign-in with ${source.name}, or it has expired. Start again.`, { reason: "sign_in_expired" });
      const person = await finishAuthorization(await providerOf(source), source.settings, new URL(url, urls.origin), kept);
      if (!person.isAdmitted)
        throw forbidden(`${person.label} at ${source.name} is not in a group that may sign in here. Ask an administrator.`, {
          reason: { code: "identity_not_in_group", label: person.label, source: source.name },
        });
      const { redirectTo, linksAccount } = kept;
      if (linksAccount !== undefined) {
        if (!isUser(actor) || actor.id !== linksAccount || actor.credential.kind !== "session")
          throw forbidden("Another account has signed in here in the meantime. The account was not linked: start again.", { reason: "linked_account_changed" });
        await linkIdentity(deps, actor, { source, subject: person.subject, label: person.label });
        return { kind: "linked", redirectTo };
      }
      const account = await findSignInAccount(deps, await firstAccount(() => accountOf(source, person)));
      if (!account.maySignIn) {
        throw forbidden("This account is prohibited from signing in, please contact your site administrator.", { reason: "sign_in_prohibited" });
      }
      log.info({ source: source.name, accountId: account.id }, "signed in through a provider");
      return { kind: "signed-in", account, redirectTo };
    },
  };
}

/** Of two concurrent first sign-ins, one creates the account or link and the other finds it. */
async function firstAccount(find: () => Promise<number>): Promise<number> {
  try {
    return await find();
  } catch (error) {
    if (!isUniqueViolation(error) && !isForgeError(error, "forbidden")) throw error;
    return find();
  }
}
