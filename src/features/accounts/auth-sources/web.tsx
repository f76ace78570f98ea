import { isUser, type UserActor } from "../../../access/actor.ts";
import { forbidden } from "../../../core/errors.ts";
import { readId } from "../../../core/ids.ts";
import { localPath, signInPath, type Urls } from "../../../core/urls.ts";
import { anyone, signedIn } from "../../../http/access.ts";
import { type RawReply, raw } from "../../../http/answers.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { longText } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, withSession } from "../../../http/session-cookie.ts";
import { renderAccountSettings } from "../../../ui/settings.tsx";
import { inPlace } from "../../../wire/schema.ts";
import { pathAfterSignIn } from "../sessions/next-step.ts";
import type { SessionDeps } from "../sessions/service/sessions.ts";
import { startCheckedSession } from "../sessions/service/sign-in.ts";
import { signInProps } from "../sessions/sign-in-form.ts";
import { attemptCookie, readAttemptCookie } from "./attempt-cookie.ts";
import { listIdentities, unlinkIdentity } from "./service/identities.ts";
import { attemptSeconds, type createOidcSignIn, type Intent } from "./service/oidc.ts";
import { IdentitiesView } from "./views/identities.tsx";

export interface SourcePageDeps extends SessionDeps {
  readonly urls: Urls;
  readonly oidc: ReturnType<typeof createOidcSignIn>;
}

const page = { mount: "root", tag: "user", isUnlisted: true, isPage: true, scope: "none", answers: raw(["text/html"]) } as const;
/** Sign-in pages are open even if the instance requires sign-in for everything else. */
const openPage = { ...page, isOpen: true, access: anyone } as const;

const identitiesPath = "/user/identities";
/** More than any account has. */
const allIdentities = { page: 1, limit: 100, offset: 0 };
const NoFields = inPlace({});

/** Sign-in through OpenID Connect providers, and the page for linking identities. */
export function sourcePages(deps: SourcePageDeps): Route[] {
  const { urls, oidc } = deps;

  async function leaveFor(source: string, intent: Intent): Promise<RawReply> {
    const { address, kept } = await oidc.begin(source, intent);
    return seeOther(address, attemptCookie(urls.origin, kept, attemptSeconds));
  }

  return [
    defineRoute({
      ...openPage,
      id: "beginSourceSignIn",
      method: "GET",
      path: "/user/oauth2/{source}",
      summary: "Go to a provider to sign in",
      query: { redirect_to: longText("The path to redirect to afterwards") },
      handle: ({ params, query }) => leaveFor(params.source, { redirectTo: localPath(query.redirect_to) }),
    }),
    defineRoute({
      ...openPage,
      id: "finishSourceSignIn",
      method: "GET",
      path: "/user/oauth2/{source}/callback",
      summary: "Return from a provider",
      handle: async ({ actor, params, headers, url, session, remoteAddress }) => {
        const outcome = await oidc.finish(params.source, url, readAttemptCookie(headers, urls.origin), actor);
        if (outcome.kind === "linked") return seeOther(outcome.redirectTo, attemptCookie(urls.origin, "", 0));
        const account = { id: outcome.account.id, mustChangePassword: false, hasSecondFactor: outcome.account.hasSecondFactor };
        const started = await startCheckedSession(deps, account, signInProps({ headers, remoteAddress }), session);
        return withSession(seeOther(pathAfterSignIn(started.stage, outcome.redirectTo)), urls, started);
      },
    }),
    defineRoute({
      ...page,
      id: "linkSourceIdentity",
      method: "POST",
      path: "/user/oauth2/{source}/link",
      summary: "Go to a provider to link an identity",
      access: signedIn,
      body: NoFields,
      handle: ({ actor, params, session }) => {
        sessionOf(actor, session);
        return leaveFor(params.source, { redirectTo: identitiesPath, linksAccount: actor.id });
      },
    }),
    defineRoute({
      ...page,
      id: "identitiesPage",
      method: "GET",
      path: identitiesPath,
      summary: "The caller's external identities",
      access: anyone,
      handle: async (request) => {
        const { actor, session } = request;
        if (!isUser(actor)) return seeOther(signInPath(identitiesPath));
        const formToken = formTokenOf(sessionOf(actor, session));
        const [{ items }, offers] = await Promise.all([listIdentities(deps, actor, allIdentities), oidc.offers()]);
        const others = offers.map(({ name }) => name).filter((name) => !items.some(({ sourceName }) => sourceName === name));
        // Browsers apply form-action to redirect targets too, which are the providers here.
        const props = { ...pageReader(request), section: "identities", formTargets: ["http:", "https:"] } as const;
        return renderAccountSettings(props, <IdentitiesView identities={items} others={others} formToken={formToken} />);
      },
    }),
    defineRoute({
      ...page,
      id: "unlinkIdentity",
      method: "POST",
      path: "/user/identities/{id}/unlink",
      summary: "Take away a link",
      access: signedIn,
      body: NoFields,
      handle: async ({ actor, params, session }) => {
        sessionOf(actor, session);
        await unlinkIdentity(deps, actor, readId(params.id));
        return seeOther(`${identitiesPath}?saved=removed`);
      },
    }),
  ];
}

/**
 * The requesting session's secret. Linking an identity grants full access, so a token cannot do it, whatever its scopes.
 * @throws ForgeError `forbidden` for every other credential
 */
function sessionOf(actor: UserActor, session: string | undefined): string {
  if (session === undefined || actor.credential.kind !== "session")
    throw forbidden("This page requires a browser session: sign in first.", { reason: "session_required" });
  return session;
}

const seeOther = (location: string, cookie?: string): RawReply => ({
  status: 303,
  headers: { location, "cache-control": "no-store", ...(cookie !== undefined && { "set-cookie": cookie }) },
});
