import type { Headers } from "../../../core/cookies.ts";
import { forbidden } from "../../../core/errors.ts";
import type { FormProblem } from "../../../core/form-problem.ts";
import { lengths } from "../../../core/lengths.ts";
import { localPath } from "../../../core/urls.ts";
import { anyone } from "../../../http/access.ts";
import { type RawReply, raw } from "../../../http/answers.ts";
import { seeOther, submit } from "../../../http/form-submit.ts";
import { visitorReader } from "../../../http/page-reader.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { isFromHere, withSession } from "../../../http/session-cookie.ts";
import type { Html } from "../../../ui/html.ts";
import { renderPage } from "../../../ui/page.tsx";
import { languageFor, textsFor } from "../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../wire/schema.ts";
import { recoveryTexts } from "../recovery/texts/texts.ts";
import type { SessionDeps } from "../sessions/service/sessions.ts";
import { requireGoodPassword, startCheckedSession } from "../sessions/service/sign-in.ts";
import { signInProps } from "../sessions/sign-in-form.ts";
import { signInTexts } from "../sessions/texts/texts.ts";
import { askToRegister, createRegistrationThrottle, type RegistrationDeps, readInvitation, register } from "./service/register.ts";
import { ClosedView, EmailSentView, NewAccountView, RegisterView } from "./views/forms.tsx";

export type RegistrationPageDeps = RegistrationDeps & SessionDeps;

/** Requests are anonymous: only the form's values and the code in the link count. */
const page = { mount: "root", tag: "user", isUnlisted: true, isPage: true, isOpen: true, access: anyone, scope: "none", answers: raw(["text/html"]) } as const;
const form = { ...page, method: "POST", ignoresCredentials: true } as const;

/** Registration pages: the first asks for an address, the second follows the emailed link. */
export function registrationPages(deps: RegistrationPageDeps): Route[] {
  const asking = createRegistrationThrottle(deps);
  const requireOwnForm = (headers: Headers): void => {
    if (isFromHere(headers, deps.urls) === false) throw forbidden(textsFor(signInTexts, languagesOf(headers)).elsewhere);
  };
  const firstStep = (headers: Headers, typed: { readonly email: string; readonly problem?: FormProblem }): RawReply =>
    shown(headers, textsFor(signInTexts, languagesOf(headers)).register, deps.config.registration.enabled ? <RegisterView {...typed} /> : <ClosedView />);
  return [
    defineRoute({
      ...page,
      id: "registerPage",
      method: "GET",
      path: "/user/sign_up",
      summary: "The registration form",
      handle: ({ headers }) => firstStep(headers, { email: "" }),
    }),
    defineRoute({
      ...form,
      id: "askToRegister",
      path: "/user/sign_up",
      summary: "Request a registration email",
      body: inPlace({ email: text() }),
      handle: async ({ body, headers, remoteAddress }) => {
        requireOwnForm(headers);
        const email = body.email.trim();
        const ask = async (): Promise<RawReply> => {
          await askToRegister({ ...deps, asking }, { email, language: languageFor(languagesOf(headers)), remoteAddress });
          return shown(headers, textsFor(recoveryTexts, languagesOf(headers)).recovery.askedTitle, <EmailSentView email={email} />);
        };
        return submit(ask, async (problem) => firstStep(headers, { email, problem }), { field: "email" });
      },
    }),
    defineRoute({
      ...page,
      id: "newAccountPage",
      method: "GET",
      path: "/user/sign_up/confirm",
      summary: "The form for a name and a password, from an emailed link",
      query: { code: query.text("The code from the emailed link"), redirect_to: query.text("The path to redirect to afterwards") },
      handle: async ({ query, headers }) => {
        const code = query.code ?? "";
        const email = await readInvitation(deps, code);
        return shown(
          headers,
          textsFor(signInTexts, languagesOf(headers)).register,
          <NewAccountView email={email} code={code} name="" redirectTo={localPath(query.redirect_to)} />,
        );
      },
    }),
    defineRoute({
      ...form,
      id: "registerByForm",
      path: "/user/sign_up/confirm",
      summary: "Create an account through an emailed link and sign in",
      body: inPlace({ code: text(), user_name: text(), password: text(lengths.password), retype: text(), redirect_to: text() }),
      handle: async ({ body, headers, remoteAddress, session }) => {
        requireOwnForm(headers);
        const { code, password, retype } = body;
        const name = body.user_name.trim();
        const redirectTo = localPath(body.redirect_to);
        const make = async (): Promise<RawReply> => {
          const id = await register(deps, { code, name, password, retype });
          const account = { id, hasSecondFactor: false, mustChangePassword: false };
          return withSession(seeOther(redirectTo), deps.urls, await startCheckedSession(deps, account, signInProps({ headers, remoteAddress }), session));
        };
        const again = async (problem: FormProblem): Promise<RawReply> => {
          const email = await readInvitation(deps, code);
          return shown(
            headers,
            textsFor(signInTexts, languagesOf(headers)).register,
            <NewAccountView email={email} code={code} name={name} redirectTo={redirectTo} problem={problem} />,
          );
        };
        return submit(make, again, { checks: { password: () => requireGoodPassword(body) } });
      },
    }),
  ];
}

const languagesOf = (headers: Headers): readonly string[] => visitorReader(headers).languages;
const shown = (headers: Headers, title: string, content: Html): RawReply => renderPage({ title, isNarrow: true, ...visitorReader(headers) }, content);
