import type { Config } from "../../../config/config.ts";
import { forbidden } from "../../../core/errors.ts";
import type { FormProblem } from "../../../core/form-problem.ts";
import { lengths } from "../../../core/lengths.ts";
import { anyone, signedIn } from "../../../http/access.ts";
import { type RawReply, raw } from "../../../http/answers.ts";
import { seeOther, submit } from "../../../http/form-submit.ts";
import { pageReader, visitorReader } from "../../../http/page-reader.ts";
import { settingsPage } from "../../../http/page-route.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { isFromHere, withSession } from "../../../http/session-cookie.ts";
import type { Html } from "../../../ui/html.ts";
import { renderPage } from "../../../ui/page.tsx";
import { languageFor, textsFor } from "../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../wire/schema.ts";
import { canSend } from "../../site/mail/smtp-transport.ts";
import { pathAfterSignIn } from "../sessions/next-step.ts";
import type { SessionDeps } from "../sessions/service/sessions.ts";
import { startCheckedSession } from "../sessions/service/sign-in.ts";
import { signInProps } from "../sessions/sign-in-form.ts";
import { signInTexts } from "../sessions/texts/texts.ts";
import { askToVerify, checkAddressCode, verifyAddress } from "./service/addresses.ts";
import { askForPassword, checkPasswordCode, type RecoveryDeps, recoverPassword } from "./service/passwords.ts";
import { recoveryTexts } from "./texts/texts.ts";
import { ConfirmedView, ConfirmView, EmailDisabledView, ForgottenView, RecoverView, SentView } from "./views/forms.tsx";

export interface RecoveryPageDeps extends RecoveryDeps, SessionDeps {
  readonly config: Config;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Requests are anonymous: only the code in the link counts. */
const page = { mount: "root", tag: "user", isUnlisted: true, isPage: true, isOpen: true, access: anyone, scope: "none", answers: raw(["text/html"]) } as const;
const form = { ...page, method: "POST", ignoresCredentials: true } as const;
const ownForm = { ...settingsPage, method: "POST", tag: "user", access: signedIn, scope: "user", refusesPublicOnly: true } as const;
const code = { code: query.text("The code from the emailed link") };

/** Pages for resetting a password and for verifying an address. */
export function recoveryPages(deps: RecoveryPageDeps): Route[] {
  const requireOwnForm = (headers: Headers): void => {
    if (isFromHere(headers, deps.urls) === false) throw forbidden(textsFor(signInTexts, languagesOf(headers)).elsewhere);
  };
  const shown = (headers: Headers, title: string, content: Html): RawReply => renderPage({ title, isNarrow: true, ...visitorReader(headers) }, content);
  const forgotten = (headers: Headers, typed: { readonly email: string; readonly problem?: FormProblem }): RawReply =>
    shown(headers, textsOf(headers).recovery.title, canSend(deps.config) ? <ForgottenView {...typed} /> : <EmailDisabledView />);
  return [
    defineRoute({
      ...page,
      id: "forgottenPasswordPage",
      method: "GET",
      path: "/user/forgot_password",
      summary: "The form for a forgotten password",
      handle: ({ headers }) => forgotten(headers, { email: "" }),
    }),
    defineRoute({
      ...form,
      id: "askForPassword",
      path: "/user/forgot_password",
      summary: "Request an email for a forgotten password",
      body: inPlace({ email: text() }),
      handle: async ({ body, headers }) => {
        requireOwnForm(headers);
        const email = body.email.trim();
        if (!canSend(deps.config)) return forgotten(headers, { email });
        const ask = async (): Promise<RawReply> => {
          await askForPassword(deps, email, languageFor(languagesOf(headers)));
          return shown(headers, textsOf(headers).recovery.askedTitle, <SentView email={email} />);
        };
        return submit(ask, async (problem) => forgotten(headers, { problem, email }), { field: "email" });
      },
    }),
    defineRoute({
      ...page,
      id: "recoverPasswordPage",
      method: "GET",
      path: "/user/recover_account",
      summary: "The form for a new password, from an emailed link",
      query: code,
      handle: async ({ query, headers }) => {
        const given = query.code ?? "";
        const { name } = await checkPasswordCode(deps, given);
        return shown(headers, textsFor(signInTexts, languagesOf(headers)).newPassword.title, <RecoverView name={name} code={given} />);
      },
    }),
    defineRoute({
      ...form,
      id: "recoverPassword",
      path: "/user/recover_account",
      summary: "Set a new password through an emailed link",
      body: inPlace({ code: text(), password: text(lengths.password), retype: text() }),
      handle: async ({ body, headers, remoteAddress, session }) => {
        requireOwnForm(headers);
        const recover = async (): Promise<RawReply> => {
          const { id, hasSecondFactor } = await recoverPassword(deps, body, remoteAddress);
          const account = { id, hasSecondFactor, mustChangePassword: false };
          const started = await startCheckedSession(deps, account, signInProps({ headers, remoteAddress }), session);
          return withSession(seeOther(pathAfterSignIn(started.stage, "/")), deps.urls, started);
        };
        const again = async (problem: FormProblem): Promise<RawReply> => {
          const { name } = await checkPasswordCode(deps, body.code);
          return shown(headers, textsFor(signInTexts, languagesOf(headers)).newPassword.title, <RecoverView name={name} code={body.code} problem={problem} />);
        };
        return submit(recover, again, { field: "password" });
      },
    }),
    defineRoute({
      ...ownForm,
      id: "askForOwnPasswordByForm",
      path: "/user/settings/account/password/email",
      summary: "Request an email for setting a first password",
      body: inPlace({}),
      handle: async (request) => {
        await askForPassword(deps, request.actor.email, languageFor(pageReader(request).languages));
        return seeOther("/user/settings/account?requested=true#password");
      },
    }),
    defineRoute({
      ...ownForm,
      id: "askToVerifyByForm",
      path: "/user/settings/account/emails/resend",
      summary: "Send the verification email for one of the caller's addresses again",
      body: inPlace({ email: text() }),
      handle: async ({ actor, body }) => {
        await askToVerify(deps, actor, body.email);
        return seeOther("/user/settings/account?sent=true");
      },
    }),
    defineRoute({
      ...page,
      id: "confirmAddressPage",
      method: "GET",
      path: "/user/activate_email",
      summary: "The confirmation form for an address, from an emailed link",
      query: code,
      // Mail scanners open links, so a GET request changes nothing.
      handle: async ({ query, headers }) => {
        const given = query.code ?? "";
        const { name, email } = await checkAddressCode(deps, given);
        return shown(headers, textsOf(headers).address.title, <ConfirmView name={name} email={email} code={given} />);
      },
    }),
    defineRoute({
      ...form,
      id: "confirmAddress",
      path: "/user/activate_email",
      summary: "Verify an address",
      body: inPlace({ code: text() }),
      handle: async ({ body, headers, remoteAddress }) => {
        requireOwnForm(headers);
        const confirmed = await verifyAddress(deps, body.code, remoteAddress);
        return shown(headers, textsOf(headers).address.doneTitle, <ConfirmedView {...confirmed} />);
      },
    }),
  ];
}

const languagesOf = (headers: Headers): readonly string[] => visitorReader(headers).languages;
const textsOf = (headers: Headers) => textsFor(recoveryTexts, languagesOf(headers));
