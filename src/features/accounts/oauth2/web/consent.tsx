import { type Actor, isUser, type UserActor } from "../../../../access/actor.ts";
import type { Clock } from "../../../../core/clock.ts";
import { malformed, unauthenticated } from "../../../../core/errors.ts";
import { readId } from "../../../../core/ids.ts";
import type { Page } from "../../../../core/paging.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { anyone, signedIn } from "../../../../http/access.ts";
import { type RawReply, raw } from "../../../../http/answers.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { renderPage } from "../../../../ui/page.tsx";
import { renderAccountSettings } from "../../../../ui/settings.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../../wire/schema.ts";
import { type Fault, fault } from "../errors.ts";
import type { AuthorizationRequest } from "../model.ts";
import { formTargetOf, withParameters } from "../redirects.ts";
import { type AnswerableRequest, findFault, grantCode, isAgreed, readRequest } from "../service/authorize.ts";
import { listGrants, revokeGrant } from "../service/grants.ts";
import { oauth2Texts } from "../texts/texts.ts";
import { ConsentView } from "../views/consent.tsx";
import { GrantsView } from "../views/grants.tsx";

export interface OAuthPageDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly urls: Pick<Urls, "origin">;
}

const page = { mount: "root", tag: "oauth2", isUnlisted: true, isPage: true, access: anyone, scope: "none", answers: raw(["text/html"]) } as const;

/** The request's parameters as hidden fields. The response type is always `code`; the page is not shown for others. */
const GrantForm = inPlace({
  client_id: text(),
  redirect_uri: text(),
  state: text(),
  scope: text(),
  nonce: text(),
  code_challenge: text(),
  code_challenge_method: text(),
  granted: text(),
});

const NoFields = inPlace({});

/** Pages about the caller. */
const ownPage = { access: signedIn, scope: "user", refusesPublicOnly: true } as const;
const grantsPath = "/user/applications";
/** The newest grants; the API lists the rest. */
const allGrants: Page = { page: 1, limit: 200, offset: 0 };

/** The consent page and the page of grants. */
export const oauthPages = (deps: OAuthPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "oauthAuthorize",
    method: "GET",
    path: "/login/oauth/authorize",
    summary: "Ask the signed-in user to authorize an application",
    // A silent request must get its error even if the instance requires sign-in.
    isOpen: true,
    handle: async (request) => {
      const { actor, url } = request;
      const search = readSearch(url);
      const prompts = (search.get("prompt") ?? "").split(" ");
      const person = personOf(actor);
      const isSilent = prompts.includes("none");
      // Applications are not revealed before sign-in.
      if (person === undefined && !isSilent) throw unauthenticated("Sign in to authorize an application.");
      const requested = await readRequest(
        deps,
        readAuthorization(search.get("response_type") ?? "", (name) => search.get(name) ?? ""),
      );
      const wrong = findFault(requested);
      if (wrong !== undefined) return refuse(deps, requested, wrong);
      if (person === undefined) return refuse(deps, requested, fault("login_required", "no user is signed in"));
      if (isStale(deps, person, prompts, search.get("max_age"))) {
        return isSilent ? refuse(deps, requested, fault("login_required", "the sign-in is too old")) : signInAgain(url);
      }
      if (!prompts.includes("consent") && (await isAgreed(deps, person, requested))) return allow(deps, person, requested);
      return isSilent ? refuse(deps, requested, fault("consent_required", "the user has to consent")) : ask(requested, person, request);
    },
  }),
  defineRoute({
    ...page,
    id: "oauthGrant",
    method: "POST",
    path: "/login/oauth/grant",
    summary: "Authorize or deny an application",
    body: GrantForm,
    handle: async ({ actor, body }) => {
      const person = personOf(actor);
      if (person === undefined) throw unauthenticated("Sign in to authorize an application.");
      const requested = await readRequest(
        deps,
        readAuthorization("code", (name) => body[name]),
      );
      const wrong = findFault(requested) ?? (body.granted === "true" ? undefined : fault("access_denied", "the user has denied the request"));
      return wrong === undefined ? allow(deps, person, requested) : refuse(deps, requested, wrong);
    },
  }),
  defineRoute({
    ...page,
    ...ownPage,
    id: "grantsPage",
    method: "GET",
    path: grantsPath,
    summary: "The applications that the caller has authorized",
    handle: async (request) => {
      const formToken = formTokenOf(requireSession(request.session));
      const { items } = await listGrants(deps, request.actor, allGrants);
      return renderAccountSettings({ ...pageReader(request), section: "grants" }, <GrantsView grants={items} formToken={formToken} />);
    },
  }),
  defineRoute({
    ...page,
    ...ownPage,
    id: "revokeGrant",
    method: "POST",
    path: "/user/applications/{id}/revoke",
    summary: "Revoke the authorization of an application",
    body: NoFields,
    handle: async ({ actor, params }) => {
      await revokeGrant(deps, actor, readId(params.id));
      return seeOther(`${grantsPath}?saved=removed`);
    },
  }),
];

/** The user of a browser session. A token cannot authorize applications, because it may have fewer rights than it would grant. */
const personOf = (actor: Actor): UserActor | undefined => (isUser(actor) && actor.credential.kind === "session" ? actor : undefined);

/** @throws ForgeError `malformed` for a repeated parameter, because parsers may disagree on its value (RFC 6749, 3.1) */
function readSearch(url: string): URLSearchParams {
  const at = url.indexOf("?");
  const search = new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
  const names = [...search.keys()];
  if (new Set(names).size < names.length)
    throw malformed("A parameter of this address is given twice: the application that sent you here is faulty.", { reason: "parameter_repeated" });
  return search;
}

type Parameter = "client_id" | "redirect_uri" | "state" | "scope" | "nonce" | "code_challenge" | "code_challenge_method";

const readAuthorization = (responseType: string, read: (name: Parameter) => string): AuthorizationRequest => ({
  clientId: read("client_id"),
  redirectUri: read("redirect_uri"),
  responseType,
  state: read("state"),
  scope: read("scope"),
  nonce: read("nonce"),
  codeChallenge: read("code_challenge"),
  codeChallengeMethod: read("code_challenge_method"),
});

/** A sign-in younger than this counts as new for `prompt=login` and `max_age`. */
const freshMs = 60_000;

/** Whether the client requests a new sign-in (OpenID Connect Core, 3.1.2.1). */
function isStale({ clock }: OAuthPageDeps, person: UserActor, prompts: readonly string[], maxAge: string | null): boolean {
  const ageMs = clock.now() - (person.credential.session?.startedMs ?? 0);
  const mostMs = /^\d{1,9}$/.test(maxAge ?? "") ? Number(maxAge) * 1_000 : Number.POSITIVE_INFINITY;
  const isRequested = prompts.includes("login") || prompts.includes("select_account");
  return ageMs > Math.max(freshMs, isRequested ? 0 : mostMs);
}

const seeOther = (location: string): RawReply => ({ status: 303, headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" } });

const signInAgain = (url: string): RawReply => seeOther(`/user/login?again=true&redirect_to=${encodeURIComponent(url)}`);

/** Redirects to the application. The issuer (RFC 9207) lets a client of several providers notice a response of another one. */
const respond = ({ urls }: OAuthPageDeps, { request }: AnswerableRequest, parameters: Readonly<Record<string, string>>): RawReply =>
  seeOther(withParameters(request.redirectUri, { ...parameters, state: request.state, iss: urls.origin }));

const refuse = (deps: OAuthPageDeps, requested: AnswerableRequest, { error, error_description }: Fault): RawReply =>
  respond(deps, requested, { error, error_description });

const allow = async (deps: OAuthPageDeps, person: UserActor, requested: AnswerableRequest): Promise<RawReply> =>
  respond(deps, requested, { code: await grantCode(deps, person, requested) });

function ask({ application, request, scopes }: AnswerableRequest, person: UserActor, page: PageRequest): RawReply {
  const { redirectUri } = request;
  const hidden: Readonly<Record<Parameter, string>> = {
    client_id: request.clientId,
    redirect_uri: redirectUri,
    state: request.state,
    scope: request.scope,
    nonce: request.nonce,
    code_challenge: request.codeChallenge,
    code_challenge_method: request.codeChallengeMethod,
  };
  const reader = pageReader(page);
  const formToken = formTokenOf(page.session ?? "");
  return renderPage(
    { ...reader, title: textsFor(oauth2Texts, reader.languages).consent.title(application.name), isNarrow: true, formTargets: [formTargetOf(redirectUri)] },
    <ConsentView application={application} name={person.name} scopes={scopes} redirectUri={redirectUri} formToken={formToken} hidden={hidden} />,
  );
}
