import type { UserActor } from "../../../../access/actor.ts";
import { conflict, invalid, isForgeError, notFound, unavailable } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { recordEvent } from "../../../../events/events.ts";
import { forgetCredentialsOf, forgetCredentialsOfSource } from "../../users/service/sourced-accounts.ts";
import { checkDirectory } from "../ldap/directory.ts";
import type { OidcSettings, SourceChanges, SourceInput, SourceView } from "../model.ts";
import { discover, problemOf } from "../oidc/provider.ts";
import { loadLinkedAccounts } from "../store/identities.ts";
import { countUsers, deleteSource, findSource, findSourceByName, insertSource, pageSources, setSealedSecret, updateSource } from "../store/sources.ts";
import { checkSettings } from "./check-settings.ts";
import { createProviderFetch } from "./provider-fetch.ts";
import { openSecret, sealSecret } from "./secret.ts";

export interface SourceDeps {
  readonly db: Db;
  readonly sealer: Sealer;
}

export const listSources = (deps: { readonly db: Reader }, page: Page): Promise<Paged<SourceView>> => pageSources(deps.db, page);

/** @throws ForgeError `not_found` */
export async function getSource(deps: { readonly db: Reader }, id: number): Promise<SourceView> {
  const source = await findSource(deps.db, id);
  if (source === undefined) throw notFound();
  return source;
}

/** @throws ForgeError `not_found` with the name */
export async function getSourceByName(deps: { readonly db: Reader }, name: string): Promise<SourceView> {
  const source = await findSourceByName(deps.db, name);
  if (source === undefined) throw notFound(`there is no sign-in source ${name}`);
  return source;
}

/** @throws ForgeError `invalid` for settings that cannot work and for a name in use */
export async function createSource(deps: SourceDeps, actor: UserActor, input: SourceInput): Promise<SourceView> {
  checkName(input.name);
  await checkSettings(input);
  try {
    return await deps.db.tx(async (tx) => {
      const id = await insertSource(tx, input);
      await setSealedSecret(tx, id, sealSecret(deps.sealer, id, input.secret));
      await recordEvent(tx, "source.created", { sourceId: id, name: input.name, kind: input.kind }, { by: actor });
      return getSource({ db: tx }, id);
    });
  } catch (error) {
    throw nameInUse(error, input.name);
  }
}

/**
 * Edits a source. Its sessions end, and its users sign in again; deactivating it also ends the sessions of linked accounts.
 * @throws ForgeError `not_found`; `invalid` for settings that cannot work and for a name in use
 */
export async function editSource(deps: SourceDeps, actor: UserActor, id: number, changes: SourceChanges): Promise<SourceView> {
  const edited = applyChanges(await getSource(deps, id), changes);
  checkName(edited.name);
  await checkSettings(edited);
  const sealedSecret = changes.secret === undefined ? undefined : sealSecret(deps.sealer, id, changes.secret);
  try {
    return await deps.db.tx(async (tx) => {
      // Read again so that a concurrent change of other fields is kept.
      const present = await getSource({ db: tx }, id);
      await updateSource(tx, { ...applyChanges(present, changes), ...(sealedSecret !== undefined && { sealedSecret }) });
      await forgetCredentialsOfSource(tx, id);
      if (present.isActive && !edited.isActive) await forgetCredentialsOf(tx, await loadLinkedAccounts(tx, id));
      await recordEvent(tx, "source.updated", { sourceId: id, name: edited.name, kind: edited.kind, isActive: edited.isActive }, { by: actor });
      return getSource({ db: tx }, id);
    });
  } catch (error) {
    throw nameInUse(error, edited.name);
  }
}

/** Deletes a source without users. @throws ForgeError `not_found`; `conflict` while accounts belong to it or are linked to it */
export async function removeSource(deps: { readonly db: Db }, actor: UserActor, id: number): Promise<void> {
  await deps.db.tx(async (tx) => {
    const { name, kind } = await getSource({ db: tx }, id);
    const users = await countUsers(tx, id);
    if (users > 0)
      throw conflict(`${name} is how ${users} ${users === 1 ? "user signs" : "users sign"} in: assign them another source first, or make it inactive`, {
        reason: "source_in_use",
      });
    await deleteSource(tx, id);
    await recordEvent(tx, "source.deleted", { sourceId: id, name, kind }, { by: actor });
  });
}

/**
 * Checks whether a source works, as a sign-in would.
 * @throws ForgeError `not_found`; `unavailable` with the problem, for administrators
 */
export async function checkSource(deps: SourceDeps, id: number): Promise<void> {
  const source = await getSource(deps, id);
  const secret = openSecret(deps.sealer, source);
  if (source.kind === "oidc") {
    await checkProvider(source.settings, secret);
    return;
  }
  try {
    await checkDirectory({ settings: source.settings, secret });
  } catch (error) {
    if (!isForgeError(error, "unavailable") || !(error.options.cause instanceof Error)) throw error;
    throw unavailable(`${error.message}: ${error.options.cause.message}`, {
      ...error.options,
      reason: { code: "source_unreachable", detail: error.options.cause.message },
    });
  }
}

async function checkProvider(settings: OidcSettings, secret: string): Promise<void> {
  try {
    await discover(settings, secret, createProviderFetch);
  } catch (error) {
    if (!isForgeError(error, "unavailable")) throw error;
    throw unavailable(error.message, { ...error.options, reason: { code: "provider_metadata_unavailable", detail: problemOf(error.options.cause) } });
  }
}

function applyChanges(source: SourceView, { name, isActive, autoRegister, ldap, oidc }: SourceChanges): SourceView {
  const shared = { name: name ?? source.name, isActive: isActive ?? source.isActive, autoRegister: autoRegister ?? source.autoRegister };
  if (source.kind === "ldap") {
    if (oidc !== undefined) throw invalid(`${source.name} is a directory: its settings belong in ldap`);
    return { ...source, ...shared, settings: { ...source.settings, ...ldap } };
  }
  if (ldap !== undefined) throw invalid(`${source.name} is an OpenID Connect provider: its settings belong in oidc`);
  return { ...source, ...shared, settings: { ...source.settings, ...oidc } };
}

/** The name is part of a path: `/user/oauth2/{name}`. */
function checkName(name: string): void {
  if (!/^[0-9A-Za-z][0-9A-Za-z._-]{0,49}$/.test(name)) {
    throw invalid(`name: ${JSON.stringify(name)} must begin with A-Z, a-z or 0-9 and contain only these characters and -_. (at most 50)`, {
      reason: name === "" ? "required" : "name_characters",
      field: "name",
    });
  }
}

const nameInUse = (error: unknown, name: string): unknown =>
  isUniqueViolation(error, "authentication_sources.name_folded") ? invalid(`a sign-in source named ${name} already exists`, { reason: "name_taken" }) : error;
