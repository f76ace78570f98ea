import type { UserActor } from "../../../../access/actor.ts";
import type { Clock } from "../../../../core/clock.ts";
import { malformed } from "../../../../core/errors.ts";
import { hashToken } from "../../../../core/secrets.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { readChallenge } from "../challenge.ts";
import { type Fault, fault } from "../errors.ts";
import type { ApplicationView, AuthorizationRequest } from "../model.ts";
import { matchesRedirect } from "../redirects.ts";
import { covers, spellOut, splitScopes } from "../scopes.ts";
import { findByClientId } from "../store/applications.ts";
import { findGrant, insertFamily, saveGrant } from "../store/grants.ts";
import { randomSecret } from "./applications.ts";

export interface AuthorizeDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** Lifetime of a code: at most ten minutes (RFC 6749, 4.1.2), while clients exchange it at once. */
const codeLivesMs = 5 * 60_000;

/** A request with a registered redirect address, so errors may be sent there. */
export interface AnswerableRequest {
  readonly application: ApplicationView;
  readonly request: AuthorizationRequest;
  readonly scopes: readonly string[];
}

/**
 * Finds the application and validates the redirect address.
 * @throws ForgeError `malformed` if the response must not be redirected: the error is shown to the user
 */
export async function readRequest(deps: { readonly db: Reader }, request: AuthorizationRequest): Promise<AnswerableRequest> {
  const application = await findByClientId(deps.db, request.clientId);
  if (application === undefined)
    throw malformed("Client ID not registered: the application that sent you here is not known to this server.", { reason: "application_unknown" });
  if (!matchesRedirect(application, request.redirectUri)) {
    throw malformed(`Unregistered Redirect URI: ${application.name} has requested a redirect to an address that is not registered for it.`, {
      reason: "redirect_not_registered",
    });
  }
  return { application, request, scopes: splitScopes(request.scope) };
}

/** Printable ASCII of limited length: scopes (RFC 6749, 3.3), states and nonces. */
const plainText = /^[\x20-\x7e]*$/;
const bounds = { scope: 2_000, state: 4_000, nonce: 500 } as const;

/** The first fault of a request, to be sent to the client. */
export function findFault({ application, request }: AnswerableRequest): Fault | undefined {
  if (request.responseType !== "code") return fault("unsupported_response_type", "Only code response type is supported.");
  for (const [name, most] of Object.entries(bounds) as [keyof typeof bounds, number][]) {
    if (request[name].length > most) return fault("invalid_request", `${name} is longer than ${most} characters`);
    if (name !== "state" && !plainText.test(request[name])) return fault("invalid_request", `${name} contains characters other than printable ASCII`);
  }
  const challenge = readChallenge(request.codeChallenge, request.codeChallengeMethod, application.isConfidential);
  return "fault" in challenge ? challenge.fault : undefined;
}

/**
 * Whether the user has already consented to everything requested. Public applications ask each time, unless their owner disables it,
 * because any program can claim to be one (RFC 6749, 10.2).
 */
export async function isAgreed(deps: { readonly db: Reader }, actor: UserActor, { application, scopes }: AnswerableRequest): Promise<boolean> {
  if (!application.isConfidential && !application.skipsConsent) return false;
  const grant = await findGrant(deps.db, actor.id, application.id);
  return grant !== undefined && covers(grant.scopes, scopes);
}

/** Stores the consent and creates a code. @param request a request without a fault */
export async function grantCode(deps: AuthorizeDeps, actor: UserActor, { application, request, scopes }: AnswerableRequest): Promise<string> {
  const challenge = readChallenge(request.codeChallenge, request.codeChallengeMethod, application.isConfidential);
  if ("fault" in challenge) throw malformed(challenge.fault.error_description);
  const code = randomSecret("gta_");
  const now = deps.clock.now();
  await deps.db.tx(async (tx) => {
    const present = await findGrant(tx, actor.id, application.id);
    const wanted = spellOut(scopes);
    // Merges the scopes with those of the earlier consent.
    const together = present === undefined ? wanted : spellOut([...present.scopes, ...wanted]);
    const agreed = covers(together, wanted) ? together : wanted;
    const grantId = await saveGrant(tx, { accountId: actor.id, applicationId: application.id, scopes: [...new Set(agreed)], now });
    if (present === undefined || !covers(present.scopes, scopes)) {
      const event = { accountId: actor.id, name: actor.name, applicationId: application.id, applicationName: application.name, scopes: agreed };
      await recordEvent(tx, "oauth2_grant.given", event, { by: actor });
    }
    await insertFamily(tx, {
      grantId,
      codeHash: hashToken(code),
      redirectUri: request.redirectUri,
      challenge: request.codeChallenge,
      challengeMethod: challenge.method,
      nonce: request.nonce,
      scopes,
      signedInMs: actor.credential.session?.startedMs ?? now,
      now,
      expiresMs: now + codeLivesMs,
    });
  });
  return code;
}
