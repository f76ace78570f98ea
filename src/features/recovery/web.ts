import { h } from "preact";
import type { Config } from "../../config/config.ts";
import { forbidden, isForgeError } from "../../core/errors.ts";
import { anyone } from "../../http/access.ts";
import { type RawReply, raw } from "../../http/answers.ts";
import { query } from "../../http/query.ts";
import { defineRoute, type Route } from "../../http/route.ts";
import { isFromHere, sessionCookie } from "../../http/session-cookie.ts";
import type { Html } from "../../ui/html.ts";
import { renderPage } from "../../ui/page.ts";
import { inPlace, text } from "../../wire/schema.ts";
import { canSend } from "../mail/postman.ts";
import { pathAfterSignIn } from "../sessions/next-step.ts";
import type { SessionDeps } from "../sessions/service/sessions.ts";
import { startCheckedSession } from "../sessions/service/sign-in.ts";
import { checkAddressCode, verifyAddress } from "./service/addresses.ts";
import { askForPassword, checkPasswordCode, type RecoveryDeps, recoverPassword } from "./service/passwords.ts";
import { AskedView, ConfirmedView, ConfirmView, ForgottenView, NoLettersView, RecoverView } from "./views/forms.ts";

export interface RecoveryPageDeps extends RecoveryDeps, SessionDeps {
  readonly config: Config;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Whoever calls is nobody here: what a letter's link carries is all that counts. */
const page = { mount: "root", tag: "user", isUnlisted: true, isPage: true, isOpen: true, access: anyone, scope: "none", answers: raw(["text/html"]) } as const;
const form = { ...page, method: "POST", ignoresCredentials: true } as const;
const code = { code: query.text("What the letter's link carries") };

/** The pages for people who have forgotten their password, and for those who show that an address is theirs. */
export function recoveryPages(deps: RecoveryPageDeps): Route[] {
  const requireOwnForm = (headers: Headers): void => {
    if (isFromHere(headers, deps.urls) === false) throw forbidden("This request comes from another site. Open the page here and send its form from there.");
  };
  return [
    defineRoute({
      ...page,
      id: "forgottenPasswordPage",
      method: "GET",
      path: "/user/forgot_password",
      summary: "The form for a forgotten password",
      handle: () => shown("Forgotten password", 200, canSend(deps.config) ? h(ForgottenView, { email: "" }) : h(NoLettersView, {})),
    }),
    defineRoute({
      ...form,
      id: "askForPassword",
      path: "/user/forgot_password",
      summary: "Ask for a letter about a forgotten password",
      body: inPlace({ email: text() }),
      handle: async ({ body, headers }) => {
        requireOwnForm(headers);
        if (!canSend(deps.config)) return shown("Forgotten password", 200, h(NoLettersView, {}));
        const email = body.email.trim();
        return orAgain(
          async () => {
            await askForPassword(deps, email);
            return shown("Look into your mail", 200, h(AskedView, { email }));
          },
          (problem) => shown("Forgotten password", 422, h(ForgottenView, { problem, email })),
        );
      },
    }),
    defineRoute({
      ...page,
      id: "recoverPasswordPage",
      method: "GET",
      path: "/user/recover_account",
      summary: "The form for a new password, from a letter",
      query: code,
      handle: async ({ query }) => {
        const given = query.code ?? "";
        const { name } = await checkPasswordCode(deps, given);
        return shown("Choose a password", 200, h(RecoverView, { name, code: given }));
      },
    }),
    defineRoute({
      ...form,
      id: "recoverPassword",
      path: "/user/recover_account",
      summary: "Choose a new password by a letter",
      body: inPlace({ code: text(), password: text(), retype: text() }),
      handle: async ({ body, headers, remoteAddress, session }) => {
        requireOwnForm(headers);
        return orAgain(
          async () => {
            const { id, hasSecondFactor } = await recoverPassword(deps, body, remoteAddress);
            const userAgent = typeof headers["user-agent"] === "string" ? headers["user-agent"] : "";
            const account = { id, hasSecondFactor, mustChangePassword: false };
            const { secret, stage, maxAgeSeconds } = await startCheckedSession(deps, account, { address: remoteAddress, userAgent }, session);
            const cookie = sessionCookie(deps.urls, secret, maxAgeSeconds);
            return { status: 303, headers: { location: pathAfterSignIn(stage, "/"), "cache-control": "no-store", "set-cookie": cookie } };
          },
          async (problem) => {
            const { name } = await checkPasswordCode(deps, body.code);
            return shown("Choose a password", 422, h(RecoverView, { name, code: body.code, problem }));
          },
        );
      },
    }),
    defineRoute({
      ...page,
      id: "confirmAddressPage",
      method: "GET",
      path: "/user/activate_email",
      summary: "The question whether an address is one's own, from a letter",
      query: code,
      // Programs that look at letters open their links: looking changes nothing.
      handle: async ({ query }) => {
        const given = query.code ?? "";
        const { name, email } = await checkAddressCode(deps, given);
        return shown("Is this your address?", 200, h(ConfirmView, { name, email, code: given }));
      },
    }),
    defineRoute({
      ...form,
      id: "confirmAddress",
      path: "/user/activate_email",
      summary: "Say that an address is one's own",
      body: inPlace({ code: text() }),
      handle: async ({ body, headers, remoteAddress }) => {
        requireOwnForm(headers);
        return shown("Your address", 200, h(ConfirmedView, await verifyAddress(deps, body.code, remoteAddress)));
      },
    }),
  ];
}

const shown = (title: string, status: number, content: Html): RawReply => renderPage({ title, status, isNarrow: true }, content);

/** What a form cannot be taken for is told on the form. */
async function orAgain(take: () => Promise<RawReply>, again: (problem: string) => RawReply | Promise<RawReply>): Promise<RawReply> {
  try {
    return await take();
  } catch (error) {
    if (!isForgeError(error, "invalid")) throw error;
    return again(error.message);
  }
}
