import type { UserActor } from "../../../../access/actor.ts";
import type { Config } from "../../../../config/config.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import type { Urls } from "../../../../core/urls.ts";
import { signedIn } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { savedAt, submit } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { settingsPage } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession, withSession } from "../../../../http/session-cookie.ts";
import { renderAccountSettings } from "../../../../ui/settings.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../../wire/schema.ts";
import { canSend } from "../../../site/mail/smtp-transport.ts";
import { addEmails, choosePrimaryEmail, listEmails, removeEmails } from "../../users/service/emails.ts";
import { findPasswordKeeper } from "../../users/service/password-keeper.ts";
import { renameSelf } from "../../users/service/rename.ts";
import { PasswordSection } from "../../users/views/password.tsx";
import { DeletionLink, EmailsView, RenameForm } from "../../users/views/settings.tsx";
import { changeOwnPassword, confirmPassword } from "../service/own-password.ts";
import { requireGoodPassword, type SignInDeps } from "../service/sign-in.ts";
import { signInProps } from "../sign-in-form.ts";
import { signInTexts } from "../texts/texts.ts";

export interface AccountPageDeps extends SignInDeps {
  readonly urls: Urls;
  readonly config: Pick<Config, "sessions" | "mail">;
}

const EmailForm = inPlace({ email: text() });
const PasswordFields = inPlace({ current: text(), password: text(lengths.password), retype: text() });

const RenameFields = inPlace({ new_name: text(lengths.accountName) });

const page = { ...settingsPage, tag: "user", access: signedIn, scope: "user", refusesPublicOnly: true } as const;
const path = "/user/settings/account";

/** Pages of the caller's addresses and password. */
export const accountPages = (deps: AccountPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "accountPage",
    method: "GET",
    path,
    summary: "The caller's addresses and password",
    query: { sent: query.bool("A verification email was sent just before"), requested: query.bool("A password email was requested just before") },
    handle: (request) => show(deps, request, { isSent: request.query.sent === true, isRequested: request.query.requested === true }),
  }),
  defineRoute({
    ...page,
    id: "addEmailByForm",
    method: "POST",
    path: `${path}/emails`,
    summary: "Add an address",
    body: EmailForm,
    handle: (request) => {
      const { actor, body } = request;
      const add = async (): Promise<RawReply> => {
        await addEmails(deps, actor, [body.email.trim()]);
        return savedAt(path);
      };
      return submit(add, (problem) => show(deps, request, { refused: { form: "email", typed: body.email, problem } }), { field: "email" });
    },
  }),
  defineRoute({
    ...page,
    id: "removeEmailByForm",
    method: "POST",
    path: `${path}/emails/remove`,
    summary: "Remove an address",
    body: EmailForm,
    handle: async ({ actor, body }) => {
      await removeEmails(deps, actor, [body.email]);
      return savedAt(path, "removed");
    },
  }),
  defineRoute({
    ...page,
    id: "choosePrimaryEmailByForm",
    method: "POST",
    path: `${path}/emails/primary`,
    summary: "Set the primary address",
    body: EmailForm,
    handle: async ({ actor, body }) => {
      await choosePrimaryEmail(deps, actor, body.email);
      return savedAt(path);
    },
  }),
  defineRoute({
    ...page,
    id: "changePasswordByForm",
    method: "POST",
    path: `${path}/password`,
    summary: "Change the caller's password",
    body: PasswordFields,
    handle: (request) => {
      const { actor, body, session } = request;
      const change = async (): Promise<RawReply> => {
        const { wrongPassword } = textsFor(signInTexts, pageReader(request).languages);
        const person = await confirmPassword(deps, actor, body.current, `[Current]: ${wrongPassword}`);
        return withSession(savedAt(path), deps.urls, await changeOwnPassword(deps, person, body, signInProps(request), session));
      };
      return submit(change, (problem) => show(deps, request, { refused: { form: "password", typed: "", problem } }), {
        field: "password",
        checks: { password: () => requireGoodPassword(body) },
      });
    },
  }),
  defineRoute({
    ...page,
    id: "renameSelfByForm",
    method: "POST",
    path: `${path}/rename`,
    summary: "Change the caller's username",
    body: RenameFields,
    handle: (request) => {
      const { actor, body } = request;
      const typed = body.new_name.trim();
      const rename = async (): Promise<RawReply> => {
        await renameSelf(deps, actor, typed);
        return savedAt(path);
      };
      return submit(rename, (problem) => show(deps, request, { refused: { form: "rename", typed, problem } }), { field: "new_name", also: ["forbidden"] });
    },
  }),
];

interface RefusedForm {
  readonly form: "email" | "password" | "rename";
  readonly typed: string;
  readonly problem: FormProblem;
}

interface Shown {
  readonly refused?: RefusedForm;
  readonly isSent?: boolean;
  readonly isRequested?: boolean;
}

async function show(
  deps: AccountPageDeps,
  request: PageRequest & { readonly actor: UserActor },
  { refused, isSent = false, isRequested = false }: Shown,
): Promise<RawReply> {
  const formToken = formTokenOf(requireSession(request.session));
  const emails = await listEmails(deps, request.actor);
  const keeper = await findPasswordKeeper(deps, request.actor.id);
  const sendsEmails = canSend(deps.config);
  const typedIn = (form: RefusedForm["form"]) => (refused?.form === form ? refused.typed : undefined);
  const problemOf = (form: RefusedForm["form"]) => (refused?.form === form ? refused.problem : undefined);
  return renderAccountSettings(
    { ...pageReader(request), section: "account" },
    <EmailsView
      emails={emails}
      values={{ email: typedIn("email") ?? "" }}
      problem={problemOf("email")}
      sendsEmails={sendsEmails}
      isSent={isSent}
      formToken={formToken}
    />,
    <PasswordSection keeper={keeper} sendsEmails={sendsEmails} isRequested={isRequested} problem={problemOf("password")} formToken={formToken} />,
    keeper !== "directory" && <RenameForm name={typedIn("rename") ?? request.actor.name} problem={problemOf("rename")} formToken={formToken} />,
    <DeletionLink />,
  );
}
