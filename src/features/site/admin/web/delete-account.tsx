import type { UserActor } from "../../../../access/actor.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { signedIn } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { seeOther, submit } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { settingsPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession, withoutSession } from "../../../../http/session-cookie.ts";
import { renderAccountSettings } from "../../../../ui/settings.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../../wire/schema.ts";
import { confirmPassword } from "../../../accounts/sessions/service/own-password.ts";
import type { PasswordGate } from "../../../accounts/sessions/service/sign-in.ts";
import { signInTexts } from "../../../accounts/sessions/texts/texts.ts";
import { hasPassword } from "../../../accounts/users/service/password-keeper.ts";
import { purgeOwnAccount } from "../service/delete-user.ts";
import { listPossessions } from "../service/possessions.ts";
import { DeleteAccountView } from "../views/delete-account.tsx";

interface DeleteAccountDeps {
  readonly db: Db;
  readonly urls: Urls;
  readonly passwords: PasswordGate;
}

const PasswordField = inPlace({ password: text() });
const page = { ...settingsPage, tag: "user", access: signedIn, scope: "user", refusesPublicOnly: true } as const;
const path = "/user/settings/account/delete";

/** Deletes the caller's account after showing its possessions and asking for the password. */
export const deleteAccountPages = (deps: DeleteAccountDeps): Route[] => [
  defineRoute({
    ...page,
    id: "deleteAccountPage",
    method: "GET",
    path,
    summary: "Possessions deleted with the caller's account",
    handle: (request) => show(deps, request),
  }),
  defineRoute({
    ...page,
    id: "deleteAccountByForm",
    method: "POST",
    path,
    summary: "Delete the caller's account with everything they own",
    body: PasswordField,
    handle: (request) => {
      const { wrongPassword } = textsFor(signInTexts, pageReader(request).languages);
      const remove = async (): Promise<RawReply> => {
        const person = await confirmPassword(deps, request.actor, request.body.password, `[Password]: ${wrongPassword}`);
        await purgeOwnAccount(deps, person);
        return withoutSession(seeOther("/"), deps.urls);
      };
      return submit(remove, (problem) => show(deps, request, problem));
    },
  }),
];

async function show(deps: DeleteAccountDeps, request: PageRequest & { readonly actor: UserActor }, problem?: FormProblem): Promise<RawReply> {
  const possessions = await listPossessions(deps, request.actor, request.actor.id);
  const props = { path, possessions, hasPassword: await hasPassword(deps, request.actor), problem, formToken: formTokenOf(requireSession(request.session)) };
  return renderAccountSettings({ ...pageReader(request), section: "account" }, <DeleteAccountView {...props} />);
}
