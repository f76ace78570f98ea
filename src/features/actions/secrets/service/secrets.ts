import type { UserActor } from "../../../../access/actor.ts";
import type { SettingsOwner } from "../../../../access/settings-owner.ts";
import { invalid, notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { SecretView } from "../model.ts";
import { deleteSecret, listSealed, pageSecrets, upsertSecret } from "../store/secrets.ts";
import { checkName, checkValue, knownName, shortenDescription } from "./check.ts";

export interface SecretDeps {
  readonly db: Db;
  readonly sealer: Sealer;
}

/** A value that was copied to a row of another owner does not open there. */
const purposeOf = (owner: SettingsOwner, name: string): string =>
  `action secret ${owner.scope} ${owner.scope === "repository" ? owner.repoId : owner.scope === "owner" ? owner.ownerId : 0} ${name}`;

export const sealActionSecret = (sealer: Sealer, owner: SettingsOwner, name: string, value: string): string => sealer.seal(purposeOf(owner, name), value);

export const listSecrets = (deps: { readonly db: Reader }, owner: SettingsOwner, page: Page): Promise<Paged<SecretView>> => pageSecrets(deps.db, owner, page);

/** Adds or replaces a secret. @throws ForgeError `malformed` */
export async function putSecret(
  deps: SecretDeps,
  actor: UserActor,
  owner: SettingsOwner,
  input: { readonly name: string; readonly value: string; readonly description: string },
): Promise<{ readonly isNew: boolean }> {
  const name = checkName(input.name);
  if (input.value === "") throw invalid("[Data]: Required", { reason: "required", field: "value" });
  const value = sealActionSecret(deps.sealer, owner, name, checkValue(input.value));
  return deps.db.tx(async (tx) => {
    const isNew = await upsertSecret(tx, owner, { name, value, description: shortenDescription(input.description) });
    await recordEvent(tx, isNew ? "action_secret.created" : "action_secret.updated", eventOf(owner, name), contextOf(actor, owner));
    return { isNew };
  });
}

/** @compat the message of an unknown secret names none (secrets/api.test.ts) @throws ForgeError `not_found` */
export async function removeSecret(deps: { readonly db: Db }, actor: UserActor, owner: SettingsOwner, given: string): Promise<void> {
  const name = knownName(given);
  await deps.db.tx(async (tx) => {
    if (!(await deleteSecret(tx, owner, name))) throw notFound("secret was not found [name: ]");
    await recordEvent(tx, "action_secret.deleted", eventOf(owner, name), contextOf(actor, owner));
  });
}

/** The values of all secrets that cover a repository, by name; its own replace those of its owner. One statement. */
export async function openSecrets(
  deps: { readonly db: Reader; readonly sealer: Sealer },
  repoId: number,
  ownerId: number,
): Promise<ReadonlyMap<string, string>> {
  const rows = await listSealed(deps.db, repoId, ownerId);
  const opened = rows.flatMap(({ isOfRepository, name, value }) => {
    const owner: SettingsOwner = isOfRepository ? { scope: "repository", repoId, name: "" } : { scope: "owner", ownerId, name: "" };
    const text = deps.sealer.open(purposeOf(owner, name), value);
    return text === undefined ? [] : [[name, text] as const];
  });
  return new Map(opened);
}

const eventOf = (owner: SettingsOwner, name: string) => ({ ownerName: owner.scope === "server" ? "" : owner.name, name });
const contextOf = (by: UserActor, owner: SettingsOwner) => ({ by, ...(owner.scope === "repository" && { repoId: owner.repoId }) });
