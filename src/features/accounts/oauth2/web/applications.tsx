import type { Static } from "typebox";
import type { UserActor } from "../../../../access/actor.ts";
import { readId } from "../../../../core/ids.ts";
import type { Page } from "../../../../core/paging.ts";
import type { Db } from "../../../../db/db.ts";
import { signedIn } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { readOption, savedAt, submit } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { type Refused, settingsPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import type { Html } from "../../../../ui/html.ts";
import { renderAccountSettings } from "../../../../ui/settings.tsx";
import { CreateOAuth2ApplicationOptions } from "../../../../wire/oauth2.ts";
import { bool, inPlace, text } from "../../../../wire/schema.ts";
import type { ApplicationInput } from "../model.ts";
import {
  type ApplicationWithSecret,
  createApplication,
  editApplication,
  getApplication,
  listApplications,
  removeApplication,
  renewSecret,
} from "../service/applications.ts";
import { ApplicationPage, ApplicationsView, type ApplicationValues, SecretView } from "../views/applications.tsx";

interface ApplicationPageDeps {
  readonly db: Db;
}

const ApplicationFields = inPlace({ name: text(), redirect_uris: text(), confidential_client: bool(), skip_secondary_authorization: bool() });
const NoFields = inPlace({});
const page = { ...settingsPage, tag: "user", access: signedIn, scope: "user", refusesPublicOnly: true } as const;
const path = "/user/settings/applications/oauth2";

/** Pages of the caller's OAuth2 applications. */
export const applicationPages = (deps: ApplicationPageDeps): Route[] => [
  defineRoute({ ...page, id: "applicationsPage", method: "GET", path, summary: "The caller's OAuth2 applications", handle: (request) => list(deps, request) }),
  defineRoute({
    ...page,
    id: "registerApplicationByForm",
    method: "POST",
    path,
    summary: "Register an application and show its secret once",
    body: ApplicationFields,
    handle: (request) => {
      const { actor, body } = request;
      const register = async (): Promise<RawReply> => showSecret(request, await createApplication(deps, actor, readInput(body)));
      return submit(register, (problem) => list(deps, request, { values: body, problem }), { field: "redirect_uris" });
    },
  }),
  defineRoute({
    ...page,
    id: "applicationPage",
    method: "GET",
    path: `${path}/{id}`,
    summary: "One of the caller's applications",
    handle: (request) => show(deps, request, readId(request.params.id)),
  }),
  defineRoute({
    ...page,
    id: "changeApplicationByForm",
    method: "POST",
    path: `${path}/{id}`,
    summary: "Edit an application, which keeps its secret",
    body: ApplicationFields,
    handle: (request) => {
      const { actor, body } = request;
      const id = readId(request.params.id);
      const save = async (): Promise<RawReply> => {
        await editApplication(deps, actor, id, readInput(body));
        return savedAt(`${path}/${id}`);
      };
      return submit(save, (problem) => show(deps, request, id, { values: body, problem }), { field: "redirect_uris" });
    },
  }),
  defineRoute({
    ...page,
    id: "renewApplicationSecret",
    method: "POST",
    path: `${path}/{id}/secret`,
    summary: "Replace an application's secret and show it once",
    body: NoFields,
    handle: async (request) => showSecret(request, await renewSecret(deps, request.actor, readId(request.params.id))),
  }),
  defineRoute({
    ...page,
    id: "deleteApplicationByForm",
    method: "POST",
    path: `${path}/{id}/delete`,
    summary: "Delete an application and all of its grants",
    body: NoFields,
    handle: async ({ actor, params }) => {
      await removeApplication(deps, actor, readId(params.id));
      return savedAt(path);
    },
  }),
];

function readInput({ name, redirect_uris, ...flags }: Static<typeof ApplicationFields>): ApplicationInput {
  const uris = redirect_uris.split(/\s+/).filter((uri) => uri !== "");
  const option = readOption(CreateOAuth2ApplicationOptions, { name: name.trim(), redirect_uris: uris, ...flags });
  return {
    name: option.name,
    isConfidential: option.confidential_client,
    skipsConsent: option.skip_secondary_authorization,
    redirectUris: option.redirect_uris ?? [],
  };
}

type OwnRequest = PageRequest & { readonly actor: UserActor };

const render = (request: OwnRequest, content: (formToken: string) => Html): RawReply =>
  renderAccountSettings({ ...pageReader(request), section: "applications" }, content(formTokenOf(requireSession(request.session))));

const nothingTyped: ApplicationValues = { name: "", redirect_uris: "", confidential_client: true, skip_secondary_authorization: false };

async function list(deps: ApplicationPageDeps, request: OwnRequest & { readonly page: Page }, refused?: Refused<ApplicationValues>): Promise<RawReply> {
  const { items, total } = await listApplications(deps, request.actor, request.page);
  return render(request, (formToken) => (
    <ApplicationsView path={path} applications={items} total={total} page={request.page} values={nothingTyped} formToken={formToken} {...refused} />
  ));
}

async function show(deps: ApplicationPageDeps, request: OwnRequest, id: number, refused?: Refused<ApplicationValues>): Promise<RawReply> {
  const application = await getApplication(deps, request.actor, id);
  const values = {
    name: application.name,
    redirect_uris: application.redirectUris.join("\n"),
    confidential_client: application.isConfidential,
    skip_secondary_authorization: application.skipsConsent,
  };
  return render(request, (formToken) => <ApplicationPage path={path} application={application} values={values} formToken={formToken} {...refused} />);
}

const showSecret = (request: OwnRequest, { application, secret }: ApplicationWithSecret): RawReply =>
  render(request, () => <SecretView path={path} application={application} secret={secret} />);
