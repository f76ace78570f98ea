import { type Actor, isUser, type UserActor } from "../../../../access/actor.ts";
import type { Clock } from "../../../../core/clock.ts";
import { malformed, unauthenticated } from "../../../../core/errors.ts";
import { readId } from "../../../../core/ids.ts";
import type { Page } from "../../../../core/paging.ts";
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
import { ConsentView } from "../views/consent.tsx";
import { GrantsView } from "../views/grants.tsx";

export interface OAuthPageDeps {
  readonly db: Db;
  readonly clock: Clock;
}

const page = { mount: "root", tag: "oauth2", isUnlisted: true, isPage: true, access: anyone, scope: "none", answers: raw(["text/html"]) } as const;

/** The request's parameters travel through the page's form; what is to be answered is a code, or there would be no page. */
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

/** Pages about the caller himself. */
const ownPage = { access: signedIn, scope: "user", refusesPublicOnly: true } as const;
const grantsPath = "/user/applications";
/** The newest of them; further ones are for programs to list. */
const allGrants: Page = { page: 1, limit: 200, offset: 0 };

/** The pages on which people let applications in, and take it back. */
export const oauthPages = (deps: OAuthPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "oauthAuthorize",
    method: "GET",
    path: "/login/oauth/authorize",
    summary: "Ask the person at the browser to let an application in",
    // Where everybody has to sign in, a client that asks without a page is told so all the same.
    isOpen: true,
    handle: async (request) => {
      const { actor, url } = request;
      const search = readSearch(url);
      const prompts = (search.get("prompt") ?? "").split(" ");
      const person = personOf(actor);
      const isSilent = prompts.includes("none");
      // Nobody learns which applications there are before he has signed in.
      if (person === undefined && !isSilent) throw unauthenticated("Sign in to let an application in.");
      const asked = await readRequest(
        deps,
        readAuthorization(search.get("response_type") ?? "", (name) => search.get(name) ?? ""),
      );
      const wrong = findFault(asked);
      if (wrong !== undefined) return refuse(asked, wrong);
      if (person === undefined) return refuse(asked, fault("login_required", "nobody is signed in"));
      if (isStale(deps, person, prompts, search.get("max_age"))) {
        return isSilent ? refuse(asked, fault("login_required", "the sign-in is too long ago")) : signInAgain(url);
      }
      if (!prompts.includes("consent") && (await isAgreed(deps, person, asked))) return allow(deps, person, asked);
      return isSilent ? refuse(asked, fault("consent_required", "the person has to be asked")) : ask(asked, person, request);
    },
  }),
  defineRoute({
    ...page,
    id: "oauthGrant",
    method: "POST",
    path: "/login/oauth/grant",
    summary: "Let an application in, or not",
    body: GrantForm,
    handle: async ({ actor, body }) => {
      const person = personOf(actor);
      if (person === undefined) throw unauthenticated("Sign in to let an application in.");
      const asked = await readRequest(
        deps,
        readAuthorization("code", (name) => body[name]),
      );
      const wrong = findFault(asked) ?? (body.granted === "true" ? undefined : fault("access_denied", "the request is denied"));
      return wrong === undefined ? allow(deps, person, asked) : refuse(asked, wrong);
    },
  }),
  defineRoute({
    ...page,
    ...ownPage,
    id: "grantsPage",
    method: "GET",
    path: grantsPath,
    summary: "What the caller has allowed applications",
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
    summary: "Take back what the caller has allowed an application",
    body: NoFields,
    handle: async ({ actor, params }) => {
      await revokeGrant(deps, actor, readId(params.id));
      return seeOther(grantsPath);
    },
  }),
];

/** Who sits at the browser. A token lets nobody in: it may hold less than what it would give away. */
const personOf = (actor: Actor): UserActor | undefined => (isUser(actor) && actor.credential.kind === "session" ? actor : undefined);

/** @throws ForgeError `malformed` for a parameter that is given twice: two readers may read two things (RFC 6749, 3.1) */
function readSearch(url: string): URLSearchParams {
  const at = url.indexOf("?");
  const search = new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
  const names = [...search.keys()];
  if (new Set(names).size < names.length)
    throw malformed("A parameter of this address is given twice: the application that sent you here has to be corrected.");
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

/** A sign-in of this moment is new, however new it was asked to be. */
const freshMs = 60_000;

/** Whether the client wants the person to sign in anew (OpenID Connect Core, 3.1.2.1). */
function isStale({ clock }: OAuthPageDeps, person: UserActor, prompts: readonly string[], maxAge: string | null): boolean {
  const ageMs = clock.now() - (person.credential.session?.startedMs ?? 0);
  const mostMs = /^\d{1,9}$/.test(maxAge ?? "") ? Number(maxAge) * 1_000 : Number.POSITIVE_INFINITY;
  const isAsked = prompts.includes("login") || prompts.includes("select_account");
  return ageMs > Math.max(freshMs, isAsked ? 0 : mostMs);
}

const seeOther = (location: string): RawReply => ({ status: 303, headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" } });

const signInAgain = (url: string): RawReply => seeOther(`/user/login?again=true&redirect_to=${encodeURIComponent(url)}`);

const refuse = ({ request }: AnswerableRequest, { error, error_description }: Fault): RawReply =>
  seeOther(withParameters(request.redirectUri, { error, error_description, state: request.state }));

async function allow(deps: OAuthPageDeps, person: UserActor, asked: AnswerableRequest): Promise<RawReply> {
  const code = await grantCode(deps, person, asked);
  return seeOther(withParameters(asked.request.redirectUri, { code, state: asked.request.state }));
}

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
    { ...reader, title: textsFor(reader.languages).security.consent.title(application.name), isNarrow: true, formTargets: [formTargetOf(redirectUri)] },
    <ConsentView application={application} name={person.name} scopes={scopes} redirectUri={redirectUri} formToken={formToken} hidden={hidden} />,
  );
}
