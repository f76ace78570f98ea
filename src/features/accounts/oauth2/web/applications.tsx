import type { Static } from "typebox";
import type { UserActor } from "../../../../access/actor.ts";
import { readId } from "../../../../core/ids.ts";
import type { Page } from "../../../../core/paging.ts";
import type { Db } from "../../../../db/db.ts";
import { type Access, organization, type SubjectsOf, signedIn } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { readOption, savedAt, submit } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { type Refused, settingsPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { organizationPath } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import type { RenderedPage } from "../../../../ui/page.tsx";
import { accountPaths, renderAccountSettings, renderOrganizationSettings } from "../../../../ui/settings.tsx";
import { CreateOAuth2ApplicationOptions } from "../../../../wire/oauth2.ts";
import { bool, inPlace, text } from "../../../../wire/schema.ts";
import type { ApplicationInput } from "../model.ts";
import {
  type ApplicationOwner,
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

/** Pages of OAuth2 applications; those of users and of organizations are alike. */
interface ApplicationPages<A extends Access> {
  /** Suffix of the route names. */
  readonly id: "" | "OfOrganization";
  readonly path: string;
  readonly of: string;
  readonly access: A;
  readonly subject: "user" | "organization";
  readonly owner: (given: SubjectsOf<A>) => OwningAccount;
}

/** The owner of the applications of one request. */
interface OwningAccount {
  readonly actor: UserActor;
  readonly owner: ApplicationOwner;
  readonly path: string;
  readonly frame: (request: PageRequest, content: Html) => RenderedPage;
}

const own: ApplicationPages<typeof signedIn> = {
  id: "",
  path: accountPaths.applications,
  of: "the caller",
  access: signedIn,
  subject: "user",
  owner: ({ actor }) => ({
    actor,
    owner: actor,
    path: accountPaths.applications,
    frame: (request, content) => renderAccountSettings({ ...pageReader(request), section: "applications" }, content),
  }),
};

const ofOrganization: ApplicationPages<typeof organization.owner> = {
  id: "OfOrganization",
  path: "/org/{org}/settings/applications/oauth2",
  of: "an organization",
  access: organization.owner,
  subject: "organization",
  owner: ({ actor, organization: { id, name } }) => ({
    actor,
    owner: { id, name },
    path: organizationPath(name, "/settings/applications/oauth2"),
    frame: (request, content) => renderOrganizationSettings({ ...pageReader(request), organization: { name }, section: "applications" }, content),
  }),
};

/** Pages of users' and organizations' OAuth2 applications. */
export const applicationPages = (deps: ApplicationPageDeps): Route[] => [...pagesOf(deps, own), ...pagesOf(deps, ofOrganization)];

function pagesOf<A extends Access>(deps: ApplicationPageDeps, { id: suffix, path, of, access, subject, owner }: ApplicationPages<A>): Route[] {
  const page = { ...settingsPage, tag: subject, scope: subject, access, refusesPublicOnly: subject === "user" } as const;
  const ownerOf = (request: SubjectsOf<A>): OwningAccount => owner(request);
  return [
    defineRoute({
      ...page,
      id: `applicationsPage${suffix}`,
      method: "GET",
      path,
      summary: `OAuth2 applications of ${of}`,
      handle: (request) => list(deps, request, ownerOf(request)),
    }),
    defineRoute({
      ...page,
      id: `registerApplicationByForm${suffix}`,
      method: "POST",
      path,
      summary: `Register an application of ${of} and show its secret once`,
      body: ApplicationFields,
      handle: (request) => {
        const { body } = request;
        const at = ownerOf(request);
        const register = async (): Promise<RawReply> => showSecret(request, at, await createApplication(deps, at.actor, at.owner, readInput(body)));
        return submit(register, (problem) => list(deps, request, at, { values: body, problem }), { field: "redirect_uris" });
      },
    }),
    defineRoute({
      ...page,
      id: `applicationPage${suffix}`,
      method: "GET",
      path: `${path}/{id}`,
      summary: `An application of ${of}`,
      handle: (request) => show(deps, request, { at: ownerOf(request), id: readId(request.params.id) }),
    }),
    defineRoute({
      ...page,
      id: `changeApplicationByForm${suffix}`,
      method: "POST",
      path: `${path}/{id}`,
      summary: `Edit an application of ${of}, which keeps its secret`,
      body: ApplicationFields,
      handle: (request) => {
        const { body } = request;
        const [at, id] = [ownerOf(request), readId(request.params.id)];
        const save = async (): Promise<RawReply> => {
          await editApplication(deps, at.actor, { owner: at.owner, id }, readInput(body));
          return savedAt(`${at.path}/${id}`);
        };
        return submit(save, (problem) => show(deps, request, { at, id }, { values: body, problem }), { field: "redirect_uris" });
      },
    }),
    defineRoute({
      ...page,
      id: `renewApplicationSecret${suffix}`,
      method: "POST",
      path: `${path}/{id}/secret`,
      summary: `Replace the secret of an application of ${of} and show it once`,
      body: NoFields,
      handle: async (request) => {
        const at = ownerOf(request);
        return showSecret(request, at, await renewSecret(deps, at.actor, { owner: at.owner, id: readId(request.params.id) }));
      },
    }),
    defineRoute({
      ...page,
      id: `deleteApplicationByForm${suffix}`,
      method: "POST",
      path: `${path}/{id}/delete`,
      summary: `Delete an application of ${of} and all of its grants`,
      body: NoFields,
      handle: async (request) => {
        const at = ownerOf(request);
        await removeApplication(deps, at.actor, { owner: at.owner, id: readId(request.params.id) });
        return savedAt(at.path, "deleted");
      },
    }),
  ];
}

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

type ApplicationRequest = Omit<PageRequest, "actor">;

const render = (request: ApplicationRequest, { actor, frame }: OwningAccount, content: (formToken: string) => Html): RawReply =>
  frame({ ...request, actor }, content(formTokenOf(requireSession(request.session))));

const nothingTyped: ApplicationValues = { name: "", redirect_uris: "", confidential_client: true, skip_secondary_authorization: false };

async function list(
  deps: ApplicationPageDeps,
  request: ApplicationRequest & { readonly page: Page },
  at: OwningAccount,
  refused?: Refused<ApplicationValues>,
): Promise<RawReply> {
  const { items, total } = await listApplications(deps, at.owner, request.page);
  return render(request, at, (formToken) => (
    <ApplicationsView path={at.path} applications={items} total={total} page={request.page} values={nothingTyped} formToken={formToken} {...refused} />
  ));
}

async function show(
  deps: ApplicationPageDeps,
  request: ApplicationRequest,
  { at, id }: { readonly at: OwningAccount; readonly id: number },
  refused?: Refused<ApplicationValues>,
): Promise<RawReply> {
  const application = await getApplication(deps, at.owner, id);
  const values = {
    name: application.name,
    redirect_uris: application.redirectUris.join("\n"),
    confidential_client: application.isConfidential,
    skip_secondary_authorization: application.skipsConsent,
  };
  return render(request, at, (formToken) => <ApplicationPage path={at.path} application={application} values={values} formToken={formToken} {...refused} />);
}

const showSecret = (request: ApplicationRequest, at: OwningAccount, { application, secret }: ApplicationWithSecret): RawReply =>
  render(request, at, () => <SecretView path={at.path} application={application} secret={secret} />);
