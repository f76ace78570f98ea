import { randomBytes, randomUUID } from "node:crypto";
import type { UserActor } from "../../../../access/actor.ts";
import { malformed, notFound } from "../../../../core/errors.ts";
import { isLongerThan, lengths } from "../../../../core/lengths.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { hashToken } from "../../../../core/secrets.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { ApplicationInput, ApplicationView } from "../model.ts";
import { isUsableRedirect } from "../redirects.ts";
import { deleteApplication, findOwned, insertApplication, pageOwned, updateApplication } from "../store/applications.ts";

const maxRedirects = 50;

/** 260 random bits in 52 letters and digits, after a prefix for the kind of secret. */
export function randomSecret(beginning: "gta_" | "gto_"): string {
  let bits = 0n;
  for (const byte of randomBytes(33)) bits = (bits << 8n) | BigInt(byte);
  let text = "";
  while (text.length < 52) {
    text += "abcdefghijklmnopqrstuvwxyz234567"[Number(bits & 31n)];
    bits >>= 5n;
  }
  return beginning + text;
}

/** The owner of applications: the caller, or an organization that the caller owns. */
export interface ApplicationOwner {
  readonly id: number;
  readonly name: string;
}

export const listApplications = (deps: { readonly db: Reader }, owner: ApplicationOwner, page: Page): Promise<Paged<ApplicationView>> =>
  pageOwned(deps.db, owner.id, page);

/** @throws ForgeError `not_found`, also for an application of another owner */
export async function getApplication(deps: { readonly db: Reader }, owner: ApplicationOwner, id: number): Promise<ApplicationView> {
  const application = await findOwned(deps.db, owner.id, id);
  if (application === undefined) throw notFound();
  return application;
}

export interface ApplicationWithSecret {
  readonly application: ApplicationView;
  /** Returned only here. */
  readonly secret: string;
}

/** Registers an application. @throws ForgeError `malformed` for invalid redirect addresses */
export async function createApplication(
  deps: { readonly db: Db },
  actor: UserActor,
  owner: ApplicationOwner,
  input: ApplicationInput,
): Promise<ApplicationWithSecret> {
  check(input);
  const clientId = randomUUID();
  const secret = randomSecret("gto_");
  return deps.db.tx(async (tx) => {
    const now = tx.nowMs;
    const id = await insertApplication(tx, owner.id, { ...input, clientId, secretHash: hashToken(secret), now });
    const application = { id, clientId, owner: { id: owner.id, name: owner.name }, createdMs: now, ...input };
    await recordEvent(tx, "oauth2_application.created", eventOf(owner, application), { by: actor });
    return { secret, application };
  });
}

/** The application of a change. */
export interface OwnedApplication {
  readonly owner: ApplicationOwner;
  readonly id: number;
}

/** Edits an application and keeps its secret. @throws ForgeError `not_found`, `malformed` */
export const editApplication = (deps: { readonly db: Db }, actor: UserActor, at: OwnedApplication, input: ApplicationInput): Promise<ApplicationView> =>
  change(deps, actor, at, () => input);

/** Replaces the secret of an application. @throws ForgeError `not_found` */
export async function renewSecret(deps: { readonly db: Db }, actor: UserActor, at: OwnedApplication): Promise<ApplicationWithSecret> {
  const secret = randomSecret("gto_");
  return { secret, application: await change(deps, actor, at, (present) => present, hashToken(secret)) };
}

async function change(
  deps: { readonly db: Db },
  actor: UserActor,
  { owner, id }: OwnedApplication,
  inputOf: (present: ApplicationView) => ApplicationInput,
  secretHash?: string,
): Promise<ApplicationView> {
  return deps.db.tx(async (tx) => {
    const present = await getApplication({ db: tx }, owner, id);
    const input = inputOf(present);
    check(input);
    await updateApplication(tx, id, { ...input, secretHash, now: tx.nowMs });
    const application = { ...present, ...input };
    await recordEvent(tx, "oauth2_application.updated", eventOf(owner, application), { by: actor });
    return application;
  });
}

/** Deletes an application with all of its grants. @throws ForgeError `not_found` */
export async function removeApplication(deps: { readonly db: Db }, actor: UserActor, { owner, id }: OwnedApplication): Promise<void> {
  await deps.db.tx(async (tx) => {
    const application = await getApplication({ db: tx }, owner, id);
    await deleteApplication(tx, id);
    await recordEvent(tx, "oauth2_application.deleted", eventOf(owner, application), { by: actor });
  });
}

const eventOf = (owner: ApplicationOwner, application: ApplicationView) => ({
  applicationId: application.id,
  applicationName: application.name,
  clientId: application.clientId,
  accountId: owner.id,
  name: owner.name,
});

function check({ name, redirectUris }: ApplicationInput): void {
  if (isLongerThan(name, lengths.line)) throw malformed(`[Name]: at most ${lengths.line} characters`, { reason: { code: "too_long", max: lengths.line } });
  if (redirectUris.length > maxRedirects)
    throw malformed(`an application has at most ${maxRedirects} redirect addresses`, { reason: { code: "too_many_items", max: maxRedirects } });
  const unusable = redirectUris.find((uri) => !isUsableRedirect(uri));
  if (unusable !== undefined)
    throw malformed(`redirect_uris: ${JSON.stringify(unusable)} is not an absolute address without a fragment that browsers can be redirected to`, {
      reason: "invalid_redirect_uri",
    });
}
