import type { UserActor } from "../../../../access/actor.ts";
import type { SettingsOwner } from "../../../../access/settings-owner.ts";
import { invalid, notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import type { HookEvent } from "../../../../events/access-events.ts";
import { recordEvent } from "../../../../events/events.ts";
import { enqueue } from "../../../../jobs/job.ts";
import type { HookEdit, HookView, NewHook, ServerHooks } from "../model.ts";
import { giveUpAll } from "../store/deliveries.ts";
import { countHooks, deleteHook, findHook, insertHook, pageHooks, type StoredHook, updateHook } from "../store/hooks.ts";
import { type Checked, checkEdit, checkNewHook } from "./check.ts";
import { deliverJob, receiverKey } from "./deliver-job.ts";

export interface HookDeps {
  readonly db: Db;
  readonly sealer: Sealer;
}

/** Every event writes a row for each of the repository's webhooks. */
const maxHooks = 250;
/** How long a replaced secret also signs. */
const formerSecretMs = 86_400_000;

/** The same for all webhooks, because defaults are copied sealed. */
const purposes = { secret: "webhook secret", authorization: "webhook authorization" } as const;

export const listHooks = (deps: { readonly db: Reader }, owner: SettingsOwner, page: Page, which: ServerHooks = "all"): Promise<Paged<HookView>> =>
  pageHooks(deps.db, owner, which, page);

/** @throws ForgeError `not_found`, also for a webhook of another owner */
export async function getHook(deps: { readonly db: Reader }, owner: SettingsOwner, id: number): Promise<StoredHook> {
  const hook = await findHook(deps.db, owner, id);
  if (hook === undefined) throw notFound();
  return hook;
}

/** @throws ForgeError `invalid` */
export async function createHook(deps: HookDeps, actor: UserActor, owner: SettingsOwner, input: NewHook): Promise<HookView> {
  const checked = checkNewHook(input);
  return deps.db.tx(async (tx) => {
    if ((await countHooks(tx, owner)) >= maxHooks) throw invalid(`at most ${maxHooks} webhooks can be added here`, { reason: "too_many_hooks" });
    const scope = owner.scope === "server" ? (input.config.is_system_webhook === "true" ? "system" : "default") : owner.scope;
    const id = await insertHook(tx, {
      repo_id: owner.scope === "repository" ? owner.repoId : null,
      owner_id: owner.scope === "owner" ? owner.ownerId : null,
      scope,
      type: checked.type,
      ...columnsOf(checked),
      authorization_header: sealHookSecret(deps.sealer, "authorization", input.authorizationHeader),
      secret: sealHookSecret(deps.sealer, "secret", input.config.secret ?? ""),
      is_active: input.isActive ? 1 : 0,
      created_ms: tx.nowMs,
      updated_ms: tx.nowMs,
    });
    const made = await getHook({ db: tx }, owner, id);
    await recordEvent(tx, "hook.created", eventOf(made, owner), contextOf(actor, owner));
    return made;
  });
}

/** @throws ForgeError `not_found`, `invalid` */
export async function editHook(deps: HookDeps, actor: UserActor, owner: SettingsOwner, id: number, edit: HookEdit): Promise<HookView> {
  return deps.db.tx(async (tx) => {
    const present = await getHook({ db: tx }, owner, id);
    const secret = edit.config?.secret;
    await updateHook(tx, id, {
      ...columnsOf(checkEdit(present, edit)),
      ...(edit.authorizationHeader !== null && { authorization_header: sealHookSecret(deps.sealer, "authorization", edit.authorizationHeader) }),
      ...(secret !== undefined && {
        secret: sealHookSecret(deps.sealer, "secret", secret),
        former_secret: present.secret,
        former_secret_until_ms: tx.nowMs + formerSecretMs,
      }),
      ...(edit.isActive !== null && { is_active: edit.isActive ? 1 : 0 }),
    });
    const edited = await getHook({ db: tx }, owner, id);
    if (edited.isActive) await enqueue(tx, deliverJob, { hookId: id }, { dedupeKey: receiverKey(id) });
    else await giveUpAll(tx, id, { error: "the webhook was deactivated", failure: "deactivated" });
    await recordEvent(tx, "hook.updated", eventOf(edited, owner), contextOf(actor, owner));
    return edited;
  });
}

/** Deletes a webhook with its deliveries. @throws ForgeError `not_found` */
export async function removeHook(deps: { readonly db: Db }, actor: UserActor, owner: SettingsOwner, id: number): Promise<void> {
  await deps.db.tx(async (tx) => {
    const hook = await getHook({ db: tx }, owner, id);
    await deleteHook(tx, id);
    await recordEvent(tx, "hook.deleted", eventOf(hook, owner), contextOf(actor, owner));
  });
}

/** The secrets of a webhook. Undefined if they were sealed with another server key. */
export interface HookSecrets {
  readonly authorizationHeader: string | undefined;
  /** The signing secrets, the current one first. */
  readonly secrets: readonly string[];
}

export function openSecrets(sealer: Sealer, hook: StoredHook, nowMs: number): HookSecrets {
  const open = (purpose: keyof typeof purposes, text: string | null) => (text === null ? undefined : sealer.open(purposes[purpose], text));
  const former = hook.formerSecretUntilMs !== null && hook.formerSecretUntilMs > nowMs ? open("secret", hook.formerSecret) : undefined;
  return {
    authorizationHeader: open("authorization", hook.authorizationHeader),
    secrets: [open("secret", hook.secret), former].filter((secret) => secret !== undefined),
  };
}

export const sealHookSecret = (sealer: Sealer, purpose: keyof typeof purposes, text: string): string | null =>
  text === "" ? null : sealer.seal(purposes[purpose], text);

const columnsOf = ({ name, url, contentType, settings, events, branchFilter }: Checked) => ({
  name,
  url,
  content_type: contentType,
  settings: JSON.stringify(settings),
  events: JSON.stringify(events),
  branch_filter: branchFilter,
});

const contextOf = (actor: UserActor, owner: SettingsOwner) => ({ repoId: owner.scope === "repository" ? owner.repoId : undefined, by: actor });

/** An address may contain a key, so events record only its host. */
const eventOf = (hook: HookView, owner: SettingsOwner): HookEvent => ({
  hookId: hook.id,
  ownerName: owner.scope === "server" ? "" : owner.name,
  scope: hook.scope,
  type: hook.type,
  host: URL.canParse(hook.url) ? new URL(hook.url).host : "",
  isActive: hook.isActive,
});
