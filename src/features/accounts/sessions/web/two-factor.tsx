import type { UserActor } from "../../../../access/actor.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import type { Urls } from "../../../../core/urls.ts";
import { signedIn } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { savedAt, submit } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { settingsPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import type { Html } from "../../../../ui/html.ts";
import { renderAccountSettings } from "../../../../ui/settings.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../../wire/schema.ts";
import type { TotpSecret } from "../../users/model.ts";
import { hasPassword } from "../../users/service/password-keeper.ts";
import {
  beginTwoFactor,
  confirmShownSecret,
  describeSecret,
  getTwoFactor,
  removeOwnTwoFactor,
  renewRecoveryCodes,
  type TwoFactorDeps,
} from "../../users/service/two-factor.ts";
import { NewSecret, RecoveryCodesView, type TwoFactorForm, TwoFactorPage } from "../../users/views/two-factor.tsx";
import { confirmPassword } from "../service/own-password.ts";
import type { SignInDeps } from "../service/sign-in.ts";
import { signInTexts } from "../texts/texts.ts";

export interface TwoFactorPageDeps extends TwoFactorDeps, Pick<SignInDeps, "passwords"> {
  readonly urls: Urls;
}

const PasswordField = inPlace({ password: text() });
const CodeFields = inPlace({ secret: text(), code: text() });

const page = { ...settingsPage, tag: "user", access: signedIn, scope: "user", refusesPublicOnly: true } as const;
const path = "/user/settings/security";

/** Enables and disables two-factor authentication; each change requires the password. */
export const twoFactorPages = (deps: TwoFactorPageDeps): Route[] => [
  defineRoute({ ...page, id: "securityPage", method: "GET", path, summary: "The caller's second factor", handle: (request) => show(deps, request) }),
  defineRoute({
    ...page,
    id: "beginTwoFactorByForm",
    method: "POST",
    path: `${path}/begin`,
    summary: "Create a secret for an authenticator app and show it",
    body: PasswordField,
    handle: (request) => withPassword(deps, request, "begin", async (person) => showSecret(request, await beginTwoFactor(deps, person))),
  }),
  defineRoute({
    ...page,
    id: "confirmTwoFactorByForm",
    method: "POST",
    path: `${path}/confirm`,
    summary: "Enter the app's first code",
    body: CodeFields,
    handle: (request) => {
      const { actor, body } = request;
      const shown = { secret: body.secret, code: body.code.replace(/\s/g, "") };
      return submit(
        async () => showCodes(request, await confirmShownSecret(deps, actor, shown)),
        async (problem) => showSecret(request, describeSecret(deps, actor, body.secret), problem),
        { field: "code" },
      );
    },
  }),
  defineRoute({
    ...page,
    id: "renewRecoveryCodesByForm",
    method: "POST",
    path: `${path}/codes`,
    summary: "Create new recovery codes and show them once",
    body: PasswordField,
    handle: (request) => withPassword(deps, request, "codes", async (person) => showCodes(request, await renewRecoveryCodes(deps, person))),
  }),
  defineRoute({
    ...page,
    id: "removeTwoFactorByForm",
    method: "POST",
    path: `${path}/remove`,
    summary: "Disable two-factor authentication",
    body: PasswordField,
    handle: (request) =>
      withPassword(deps, request, "remove", async (person) => {
        await removeOwnTwoFactor(deps, person);
        return savedAt(path, "removed");
      }),
  }),
];

type OwnRequest = PageRequest & { readonly actor: UserActor };

function withPassword(
  deps: TwoFactorPageDeps,
  request: OwnRequest & { readonly body: { readonly password: string } },
  form: TwoFactorForm,
  work: (person: UserActor) => Promise<RawReply>,
): Promise<RawReply> {
  const { wrongPassword } = textsFor(signInTexts, pageReader(request).languages);
  return submit(
    async () => work(await confirmPassword(deps, request.actor, request.body.password, `[Password]: ${wrongPassword}`)),
    (problem) => show(deps, request, { form, problem }),
    { field: "password" },
  );
}

async function show(
  deps: TwoFactorPageDeps,
  request: OwnRequest,
  refused?: { readonly form: TwoFactorForm; readonly problem: FormProblem },
): Promise<RawReply> {
  const state = await getTwoFactor(deps, request.actor);
  const isKnown = await hasPassword(deps, request.actor);
  return render(request, (formToken) => <TwoFactorPage path={path} state={state} hasPassword={isKnown} formToken={formToken} refused={refused} />);
}

const showSecret = (request: OwnRequest, secret: TotpSecret, problem?: FormProblem): RawReply =>
  render(request, (formToken) => <NewSecret path={path} secret={secret} formToken={formToken} problem={problem} />);

const showCodes = (request: OwnRequest, codes: readonly string[]): RawReply => render(request, () => <RecoveryCodesView path={path} codes={codes} />);

const render = (request: OwnRequest, content: (formToken: string) => Html): RawReply =>
  renderAccountSettings({ ...pageReader(request), section: "security" }, content(formTokenOf(requireSession(request.session))));
