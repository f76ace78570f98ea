import { isUser } from "../../../access/actor.ts";
import type { Headers } from "../../../core/cookies.ts";
import { forbidden } from "../../../core/errors.ts";
import type { FormProblem } from "../../../core/form-problem.ts";
import { readId } from "../../../core/ids.ts";
import { lengths } from "../../../core/lengths.ts";
import type { Page } from "../../../core/paging.ts";
import { localPath, type Urls } from "../../../core/urls.ts";
import { anyone, signedIn } from "../../../http/access.ts";
import { type RawReply, raw } from "../../../http/answers.ts";
import { savedAt, seeOther, submit } from "../../../http/form-submit.ts";
import { pageReader, visitorReader } from "../../../http/page-reader.ts";
import { longText, query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, isFromHere, requireSession, withoutSession, withSession } from "../../../http/session-cookie.ts";
import type { ProxyUser } from "../../../http/trusted-proxies.ts";
import type { Html } from "../../../ui/html.ts";
import { renderPage } from "../../../ui/page.tsx";
import { renderAccountSettings } from "../../../ui/settings.tsx";
import { textsFor } from "../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../wire/schema.ts";
import type { StartedSession } from "./model.ts";
import { pathAfterSignIn } from "./next-step.ts";
import { endSession, listSessions, revokeOtherSessions, revokeSession } from "./service/sessions.ts";
import { type CheckedAccount, chooseNewPassword, findUnfinished, type SignInDeps, showCode, signIn, startCheckedSession } from "./service/sign-in.ts";
import { signInProps } from "./sign-in-form.ts";
import { signInTexts } from "./texts/texts.ts";
import { type SecondFactorProps, SecondFactorView } from "./views/second-factor.tsx";
import { SessionsView } from "./views/sessions.tsx";
import { type NewPasswordProps, NewPasswordView, type SignInProps, SignInView } from "./views/sign-in.tsx";

export interface SessionPageDeps extends SignInDeps {
  readonly urls: Urls;
  /** The account of a user whom the reverse proxy has signed in. Throws `forbidden` with the reason. */
  readonly accountOfProxyUser: (person: ProxyUser) => Promise<Pick<CheckedAccount, "id" | "hasSecondFactor">>;
  /** External providers, by name; each starts at `/user/oauth2/{name}`. */
  readonly otherWaysIn: () => Promise<readonly { readonly name: string }[]>;
  readonly mayRegister: boolean;
}

/** The page reports empty fields itself. */
const SignInForm = inPlace({ user_name: text(), password: text(), redirect_to: text() });
const SecondFactorForm = inPlace({ passcode: text(), redirect_to: text() });
const NewPasswordForm = inPlace({ password: text(lengths.password), retype: text(), redirect_to: text() });
const NoFields = inPlace({});

const page = { mount: "root", tag: "user", isUnlisted: true, isPage: true, isOpen: true, access: anyone, scope: "none", answers: raw(["text/html"]) } as const;

/** Pages about the caller. */
const ownPage = { access: signedIn, isOpen: false, scope: "user", refusesPublicOnly: true } as const;
/** More than any account has. */
const allSessions: Page = { page: 1, limit: 100, offset: 0 };

/** Pages for signing in and out. */
export const sessionPages = (deps: SessionPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "signInPage",
    method: "GET",
    path: "/user/login",
    summary: "The sign-in form",
    query: { redirect_to: longText("The path to redirect to afterwards"), again: query.bool("Also for users who are already signed in") },
    handle: async ({ actor, query, proxied, headers, remoteAddress, session }) => {
      const redirectTo = localPath(query.redirect_to);
      if (isUser(actor) && actor.credential.kind === "session" && query.again !== true) return seeOther(redirectTo);
      if (proxied === undefined) return signInPage(deps, headers, 200, { redirectTo });
      const account = { ...(await deps.accountOfProxyUser(proxied)), mustChangePassword: false };
      return enter(deps, await startCheckedSession(deps, account, signInProps({ headers, remoteAddress }), session), redirectTo);
    },
  }),
  defineRoute({
    ...page,
    id: "signIn",
    method: "POST",
    path: "/user/login",
    summary: "Sign in with a password",
    // An existing session of the browser and its form token are ignored.
    ignoresCredentials: true,
    body: SignInForm,
    handle: async ({ body, headers, remoteAddress, session }) => {
      if (isFromHere(headers, deps.urls) === false) throw forbidden(textsOf(headers).elsewhere);
      const redirectTo = localPath(body.redirect_to);
      const login = body.user_name.trim();
      if (login === "" || body.password === "") return signInPage(deps, headers, 422, { redirectTo, login, problem: textsOf(headers).incomplete });
      const started = await signIn(deps, { login, password: body.password }, signInProps({ headers, remoteAddress }), session);
      if (started !== undefined) return enter(deps, started, redirectTo);
      return signInPage(deps, headers, 401, { redirectTo, login, problem: textsOf(headers).wrong });
    },
  }),
  defineRoute({
    ...page,
    id: "secondFactorPage",
    method: "GET",
    path: "/user/two_factor",
    summary: "The form for the second factor",
    query: { redirect_to: longText("The path to redirect to afterwards") },
    handle: async ({ query, headers, session = "" }) => {
      const unfinished = await findUnfinished(deps, session, "second-factor");
      if (unfinished === undefined) return seeOther("/user/login");
      return secondFactorPage(headers, 200, { name: unfinished.account.name, redirectTo: localPath(query.redirect_to), formToken: formTokenOf(session) });
    },
  }),
  defineRoute({
    ...page,
    id: "showCode",
    method: "POST",
    path: "/user/two_factor",
    summary: "Enter a code and continue",
    body: SecondFactorForm,
    handle: async ({ body, headers, remoteAddress, session = "" }) => {
      const unfinished = await findUnfinished(deps, session, "second-factor");
      if (unfinished === undefined) return seeOther("/user/login");
      const redirectTo = localPath(body.redirect_to);
      const started = await showCode(deps, unfinished, body.passcode.trim(), signInProps({ headers, remoteAddress }), session);
      if (started !== undefined) return enter(deps, started, redirectTo);
      const problem = textsOf(headers).secondFactor.wrong;
      return secondFactorPage(headers, 401, { name: unfinished.account.name, redirectTo, formToken: formTokenOf(session), problem });
    },
  }),
  defineRoute({
    ...page,
    id: "newPasswordPage",
    method: "GET",
    path: "/user/change_password",
    summary: "The form for a new password",
    query: { redirect_to: longText("The path to redirect to afterwards") },
    handle: async ({ query, headers, session = "" }) => {
      const unfinished = await findUnfinished(deps, session, "new-password");
      if (unfinished === undefined) return seeOther("/user/login");
      return newPasswordPage(headers, 200, { name: unfinished.account.name, redirectTo: localPath(query.redirect_to), formToken: formTokenOf(session) });
    },
  }),
  defineRoute({
    ...page,
    id: "chooseNewPassword",
    method: "POST",
    path: "/user/change_password",
    summary: "Set a new password and continue",
    body: NewPasswordForm,
    handle: async ({ body, headers, remoteAddress, session = "" }) => {
      const unfinished = await findUnfinished(deps, session, "new-password");
      if (unfinished === undefined) return seeOther("/user/login");
      const redirectTo = localPath(body.redirect_to);
      const choose = async (): Promise<RawReply> =>
        enter(deps, await chooseNewPassword(deps, unfinished, body, signInProps({ headers, remoteAddress }), session), redirectTo);
      const again = async (problem: FormProblem): Promise<RawReply> =>
        newPasswordPage(headers, 422, { name: unfinished.account.name, redirectTo, formToken: formTokenOf(session), problem });
      return submit(choose, again, { field: "password" });
    },
  }),
  defineRoute({
    ...page,
    ...ownPage,
    id: "sessionsPage",
    method: "GET",
    path: "/user/sessions",
    summary: "The caller's sessions",
    handle: async (request) => {
      const { actor, session } = request;
      const formToken = formTokenOf(requireSession(session));
      const { items } = await listSessions(deps, actor, allSessions);
      const view = <SessionsView sessions={items} currentId={actor.credential.session?.id} formToken={formToken} />;
      return renderAccountSettings({ ...pageReader(request), section: "sessions" }, view);
    },
  }),
  defineRoute({
    ...page,
    ...ownPage,
    id: "endOtherSessions",
    method: "POST",
    path: "/user/sessions/end",
    summary: "Sign out everywhere else",
    body: NoFields,
    handle: async ({ actor }) => {
      await revokeOtherSessions(deps, actor);
      return savedAt("/user/sessions", "ended");
    },
  }),
  defineRoute({
    ...page,
    ...ownPage,
    id: "endSession",
    method: "POST",
    path: "/user/sessions/{id}/end",
    summary: "Sign out of one session",
    body: NoFields,
    handle: async ({ actor, params }) => {
      await revokeSession(deps, actor, readId(params.id));
      return savedAt("/user/sessions", "ended");
    },
  }),
  defineRoute({
    ...page,
    id: "signOutAddress",
    method: "GET",
    path: "/user/logout",
    summary: "Redirects to a page with a sign-out button: a GET request ends no session, because other sites can cause one",
    handle: () => seeOther("/"),
  }),
  defineRoute({
    ...page,
    id: "signOut",
    method: "POST",
    path: "/user/logout",
    summary: "Sign out in this browser",
    body: NoFields,
    handle: async ({ session, remoteAddress }) => {
      if (session !== undefined) await endSession(deps, session, remoteAddress);
      return withoutSession(seeOther("/"), deps.urls);
    },
  }),
];

/** Sends the session cookie and redirects to the remaining step or to the original target. */
const enter = ({ urls }: SessionPageDeps, started: StartedSession, redirectTo: string): RawReply =>
  withSession(seeOther(pathAfterSignIn(started.stage, redirectTo)), urls, started);

/** A sign-in for an application may redirect on to that application. */
const targetsOf = (redirectTo: string): readonly string[] => (redirectTo.startsWith("/login/oauth/authorize?") ? ["http:", "https:"] : []);

const languagesOf = (headers: Headers): readonly string[] => visitorReader(headers).languages;
const textsOf = (headers: Headers) => textsFor(signInTexts, languagesOf(headers));

const stepPage = (headers: Headers, status: number, title: string, redirectTo: string, content: Html): RawReply =>
  renderPage({ title, status, isNarrow: true, formTargets: targetsOf(redirectTo), ...visitorReader(headers) }, content);

const signInPage = async (deps: SessionPageDeps, headers: Headers, status: number, props: Omit<SignInProps, "otherWays" | "mayRegister">): Promise<RawReply> =>
  stepPage(
    headers,
    status,
    textsOf(headers).signIn,
    props.redirectTo,
    <SignInView {...props} otherWays={await deps.otherWaysIn()} mayRegister={deps.mayRegister} />,
  );

const secondFactorPage = (headers: Headers, status: number, props: SecondFactorProps): RawReply =>
  stepPage(headers, status, textsOf(headers).secondFactor.title, props.redirectTo, <SecondFactorView {...props} />);

const newPasswordPage = (headers: Headers, status: number, props: NewPasswordProps): RawReply =>
  stepPage(headers, status, textsOf(headers).newPassword.title, props.redirectTo, <NewPasswordView {...props} />);
