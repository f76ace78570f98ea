import type { UserActor } from "../../../../access/actor.ts";
import type { OrganizationSubject, TeamSubject } from "../../../../access/subjects.ts";
import type { Config } from "../../../../config/config.ts";
import type { Clock } from "../../../../core/clock.ts";
import { forbidden, invalid, malformed, notFound, throttled } from "../../../../core/errors.ts";
import { foldEmail, isValidEmail } from "../../../../core/names.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import { hashToken, randomToken } from "../../../../core/secrets.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { linkToRegister } from "../../../accounts/registration/service/register.ts";
import { requireNoBlockBetween } from "../../../accounts/users/service/blocks.ts";
import { createThrottle, type Throttle } from "../../../accounts/users/service/throttle.ts";
import { sendEmail } from "../../../site/mail/service/send.ts";
import { canSend } from "../../../site/mail/smtp-transport.ts";
import { emailTexts } from "../../../site/mail/texts/texts.ts";
import { teamEvent } from "../event.ts";
import { insertTeamMember } from "../store/members.ts";
import { invitationEmailTexts } from "../texts/texts.ts";
import type { Invitation, InvitationView } from "./model.ts";
import { countInvitations, deleteExpired, deleteInvitation, findByCode, findInvitation, listInvitations, putInvitation } from "./store.ts";

export interface InvitationDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly urls: Urls;
  readonly config: Pick<Config, "mail" | "registration">;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Lifetime of a link. */
const livesMs = 7 * dayMs;
/** How long an expired invitation is listed, so that it can be sent again. */
const keptMs = 30 * dayMs;
/** Minimum time between two emails of an invitation. */
const pauseMs = 5 * minuteMs;
/** Maximum number of open invitations of an organization. */
const maxInvitations = 100;
/** Limits of emails per address and per network. Each email counts for the given time. */
const limits = { pair: 3, login: 3, network: 60, forgetMs: 10 * minuteMs };

/** Throttles invitation emails. */
export const createInvitationThrottle = (deps: Pick<InvitationDeps, "db" | "clock">): Throttle => createThrottle({ ...deps, limits, subject: "invitation" });

/** The sender of an invitation, with the language of its email. */
export interface Sending {
  readonly language: string;
  readonly remoteAddress: string;
}

/** Whether a text names an address instead of a user. */
export const isAddress = (typed: string): boolean => typed.indexOf("@") > 0;

export const canSendInvitations = (deps: Pick<InvitationDeps, "config">): boolean => canSend(deps.config);

/**
 * Invites an address to a team as an owner. The response is the same for addresses with and without an account.
 * @throws ForgeError `forbidden` for other callers, or if the server sends no email; `invalid` for an invalid address or too many
 * invitations; `throttled` after too many emails
 */
export async function inviteByEmail(
  deps: InvitationDeps & { readonly inviting: Throttle },
  actor: UserActor,
  team: TeamSubject,
  { email, ...sending }: Sending & { readonly email: string },
): Promise<void> {
  requireOwner(team.organization);
  requireEmail(deps);
  if (!isValidEmail(email)) throw invalid("[User]: Email", { reason: "invalid_email" });
  await count(deps, email, sending);
  await deps.db.tx(async (tx) => {
    await deleteExpired(tx, team.organization.id, deps.clock.now() - keptMs);
    if ((await countInvitations(tx, team.organization.id)) >= maxInvitations)
      throw invalid(`an organization can have at most ${maxInvitations} open invitations`, { field: "user", reason: "too_many_invitations" });
    await send(deps, tx, actor, team, { email, language: sending.language });
  });
}

/**
 * Sends an invitation again, with a new link; the former one is no longer valid.
 * @throws ForgeError `not_found`; `forbidden` for other callers than owners, or if the server sends no email; `throttled`
 */
export async function resendInvitation(
  deps: InvitationDeps & { readonly inviting: Throttle },
  actor: UserActor,
  organization: OrganizationSubject,
  { id, ...sending }: Sending & { readonly id: number },
): Promise<void> {
  requireOwner(organization);
  requireEmail(deps);
  const present = await findInvitation(deps.db, organization.id, id);
  if (present === undefined) throw notFound();
  await count(deps, present.email, sending);
  await deps.db.tx(async (tx) => {
    const found = await findInvitation(tx, organization.id, id);
    if (found === undefined) throw notFound();
    const waitMs = found.sentMs + pauseMs - deps.clock.now();
    if (waitMs > 0)
      throw throttled("an email is on its way to this address: wait a few minutes for it", {
        reason: "email_sent_recently",
        retryAfter: Math.ceil(waitMs / 1_000),
      });
    await send(deps, tx, actor, { id: found.teamId, name: found.teamName, organization }, { email: found.email, language: sending.language });
  });
}

/** The invitations of an organization, for its owners. One statement. */
export const listOpenInvitations = (deps: Pick<InvitationDeps, "db" | "clock">, organization: OrganizationSubject): Promise<readonly InvitationView[]> =>
  listInvitations(deps.db, organization.id, { now: deps.clock.now(), limit: maxInvitations });

/** Ends an invitation as an owner; its link is no longer valid. Idempotent. */
export async function revokeInvitation(deps: Pick<InvitationDeps, "db">, actor: UserActor, organization: OrganizationSubject, id: number): Promise<void> {
  requireOwner(organization);
  await deps.db.tx(async (tx) => {
    const found = await findInvitation(tx, organization.id, id);
    if (found === undefined || !(await deleteInvitation(tx, organization.id, id))) return;
    const team = { id: found.teamId, name: found.teamName, organization };
    await recordEvent(tx, "team.invitation_revoked", { ...teamEvent(team), email: found.email }, { by: actor });
  });
}

/** The invitation of a link. @throws ForgeError `malformed` for an invalid, used, revoked or expired link */
export async function readInvitation(deps: { readonly db: Reader; readonly clock: Clock }, code: string): Promise<Invitation> {
  const invitation = await findByCode(deps.db, hashToken(code), deps.clock.now());
  if (invitation === undefined) throw ended();
  return invitation;
}

/** A code with which the holder of a link can create an account; undefined if the address has one or may not register. */
export const codeToRegister = (deps: InvitationDeps, { email }: Invitation): Promise<string | undefined> => linkToRegister(deps, email);

/**
 * Adds the caller to the team of an invitation, which ends it.
 * @throws ForgeError `malformed` as {@link readInvitation}; `forbidden` if the caller and the organization have blocked each other
 */
export async function acceptInvitation(deps: InvitationDeps, actor: UserActor, code: string): Promise<Invitation> {
  return deps.db.tx(async (tx) => {
    const invitation = await readInvitation({ ...deps, db: tx }, code);
    const { id, orgId, orgName, teamId, teamName } = invitation;
    await requireNoBlockBetween({ db: tx }, orgId, actor.id);
    if (!(await deleteInvitation(tx, orgId, id))) throw ended();
    await insertTeamMember(tx, { id: teamId, orgId }, actor.id);
    const event = { ...teamEvent({ id: teamId, name: teamName, organization: { id: orgId, name: orgName } }), memberId: actor.id, memberName: actor.name };
    await recordEvent(tx, "team.invitation_accepted", event, { by: actor });
    return invitation;
  });
}

/** The error for the link of an invitation that is invalid, or has been used, revoked or replaced. */
const ended = () => malformed("This invitation is no longer valid: it was used or revoked, or it has expired.", { reason: "invitation_ended" });

type InvitingTeam = Pick<TeamSubject, "id" | "name"> & { readonly organization: OrganizationSubject };

async function send(
  deps: InvitationDeps,
  tx: Tx,
  actor: UserActor,
  team: InvitingTeam,
  { email, language }: { readonly email: string; readonly language: string },
): Promise<void> {
  const code = randomToken();
  const sentMs = deps.clock.now();
  await putInvitation(tx, {
    orgId: team.organization.id,
    teamId: team.id,
    inviterId: actor.id,
    email,
    codeHash: hashToken(code),
    sentMs,
    expiresMs: sentMs + livesMs,
  });
  await recordEvent(tx, "team.invitation_sent", { ...teamEvent(team), email }, { by: actor });
  const texts = emailTexts(invitationEmailTexts, language);
  const { urls } = deps;
  const text = texts.text({
    inviter: actor.name,
    organization: team.organization.name,
    origin: urls.origin,
    link: `${urls.web("user", "invitation")}?code=${code}`,
  });
  await sendEmail(tx, deps.sealer, { to: email, subject: texts.subject(team.organization.name, urls.host), text });
}

/** Every email counts like a failed attempt. */
async function count({ inviting }: { readonly inviting: Throttle }, email: string, { remoteAddress }: Sending): Promise<void> {
  await inviting.check({ login: foldEmail(email), accountId: 0, remoteAddress }, async () => undefined);
}

function requireEmail({ config }: Pick<InvitationDeps, "config">): void {
  if (!canSend(config)) throw forbidden("This server sends no email.", { reason: "email_disabled" });
}

function requireOwner({ isOwner }: OrganizationSubject): void {
  if (!isOwner) throw forbidden("Must be an organization owner");
}
