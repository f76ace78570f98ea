import type { Static } from "typebox";
import type { UserActor } from "../../../access/actor.ts";
import type { OrganizationSubject } from "../../../access/subjects.ts";
import type { FormProblem } from "../../../core/form-problem.ts";
import { lengths } from "../../../core/lengths.ts";
import { organization, signedIn } from "../../../http/access.ts";
import type { RawReply } from "../../../http/answers.ts";
import { Confirmation, submitConfirmed } from "../../../http/confirmation.ts";
import { readOption, savedAt, seeOther, submit } from "../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../http/page-reader.ts";
import { type Refused, settingsPage } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import { accountPath, organizationPath } from "../../../ui/addresses.ts";
import { renderPage } from "../../../ui/page.tsx";
import { renderOrganizationSettings } from "../../../ui/settings.tsx";
import { sharedTexts } from "../../../ui/texts/shared.ts";
import { textsFor } from "../../../ui/texts/texts.ts";
import { CreateOrgOption, EditOrgOption } from "../../../wire/organization.ts";
import { bool, inPlace, text } from "../../../wire/schema.ts";
import {
  createOrganization,
  deleteOrganization,
  editOrganization,
  getOrganization,
  type OrganizationDeps,
  renameOrganization,
} from "./service/organizations.ts";
import { orgTexts } from "./texts/texts.ts";
import { OrganizationEnd, OrganizationForm, type OrganizationValues } from "./views/settings.tsx";

const OrganizationFields = inPlace({
  user_name: text(),
  full_name: text(),
  email: text(),
  description: text(),
  website: text(),
  location: text(),
  visibility: text(),
  repo_admin_change_team_access: bool(),
});
const RenameForm = inPlace({ new_name: text(lengths.accountName) });

const page = { ...settingsPage, tag: "organization", scope: "organization" } as const;
const own = { ...page, access: organization.owner } as const;

/** Pages for creating organizations and changing their settings. */
export const organizationPages = (deps: OrganizationDeps): Route[] => [
  defineRoute({
    ...page,
    id: "newOrganizationPage",
    method: "GET",
    path: "/org/create",
    summary: "The form for a new organization",
    access: signedIn,
    handle: (request) => newPage(request, { values: nothingTyped, problem: undefined }),
  }),
  defineRoute({
    ...page,
    id: "createOrganizationByForm",
    method: "POST",
    path: "/org/create",
    summary: "Make an organization",
    access: signedIn,
    body: OrganizationFields,
    handle: (request) => {
      const { actor, body } = request;
      const make = async (): Promise<RawReply> => {
        const { username: name, ...option } = readOption(CreateOrgOption, { ...fieldsOf(body), username: body.user_name.trim() });
        const made = await createOrganization(deps, actor, { id: actor.id, kind: "user" }, { name, ...inputOf(option) });
        return seeOther(accountPath(made.name));
      };
      return submit(make, (problem) => newPage(request, { values: body, problem }), { field: "user_name", also: ["forbidden"] });
    },
  }),
  defineRoute({
    ...own,
    id: "organizationSettingsPage",
    method: "GET",
    path: "/org/{org}/settings",
    summary: "The settings of an organization",
    handle: (request) => show(deps, request),
  }),
  defineRoute({
    ...own,
    id: "saveOrganizationSettings",
    method: "POST",
    path: "/org/{org}/settings",
    summary: "Change the settings of an organization",
    body: OrganizationFields,
    handle: (request) => {
      const { actor, organization, body } = request;
      const save = async (): Promise<RawReply> => {
        const option = readOption(EditOrgOption, fieldsOf(body));
        await editOrganization(deps, actor, organization, inputOf({ ...fieldsOf(body), visibility: option.visibility ?? "" }));
        return savedAt(organizationPath(organization.name, "/settings"));
      };
      return submit(save, (problem) => show(deps, request, { values: body, problem }));
    },
  }),
  defineRoute({
    ...own,
    id: "renameOrganizationByForm",
    method: "POST",
    path: "/org/{org}/settings/rename",
    summary: "Rename an organization",
    body: RenameForm,
    handle: (request) => {
      const { actor, organization, body } = request;
      const typed = body.new_name.trim();
      const rename = async (): Promise<RawReply> => {
        await renameOrganization(deps, actor, organization, typed);
        return savedAt(organizationPath(typed, "/settings"));
      };
      return submit(rename, (problem) => show(deps, request, undefined, { form: "rename", typed, problem }), { field: "new_name" });
    },
  }),
  defineRoute({
    ...own,
    id: "deleteOrganizationByName",
    method: "POST",
    path: "/org/{org}/settings/delete",
    summary: "Delete an organization after its name is entered",
    body: Confirmation,
    handle: (request) => {
      const { actor, organization } = request;
      const end = async (): Promise<RawReply> => {
        await deleteOrganization(deps, actor, organization);
        return savedAt("/", "deleted");
      };
      return submitConfirmed(request, organization.name, end, (refused) => show(deps, request, undefined, { form: "delete", ...refused }));
    },
  }),
];

const nothingTyped: OrganizationValues = {
  user_name: "",
  full_name: "",
  email: "",
  description: "",
  website: "",
  location: "",
  visibility: "public",
  repo_admin_change_team_access: false,
};

const fieldsOf = ({ user_name: _, ...fields }: Static<typeof OrganizationFields>) => ({
  ...fields,
  website: fields.website.trim(),
  email: fields.email.trim(),
});

type Fields = Omit<ReturnType<typeof fieldsOf>, "visibility"> & { readonly visibility: "" | "public" | "limited" | "private" };

const inputOf = ({ full_name, visibility, repo_admin_change_team_access, ...same }: Fields) => ({
  email: same.email,
  description: same.description,
  website: same.website,
  location: same.location,
  fullName: full_name,
  visibility: visibility === "" ? ("public" as const) : visibility,
  repoAdminChangeTeamAccess: repo_admin_change_team_access,
});

async function newPage(
  request: PageRequest,
  { values, problem }: { readonly values: OrganizationValues; readonly problem: FormProblem | undefined },
): Promise<RawReply> {
  const reader = pageReader(request);
  const create = textsFor(sharedTexts, reader.languages).organization.create;
  const { createHint } = textsFor(orgTexts, reader.languages);
  const props = { action: "/org/create", isNew: true, values, problem, formToken: formTokenOf(requireSession(request.session)) };
  return renderPage({ ...reader, title: create, isNarrow: "form" }, <p class="soft">{createHint}</p>, <OrganizationForm {...props} />);
}

type OwnerRequest = PageRequest & { readonly actor: UserActor; readonly organization: OrganizationSubject };

type RefusedEnd = Parameters<typeof OrganizationEnd>[0]["refused"];

async function show(deps: OrganizationDeps, request: OwnerRequest, refused?: Refused<OrganizationValues>, end?: RefusedEnd): Promise<RawReply> {
  const { organization, session } = request;
  const view = await getOrganization(deps, organization.id);
  const values = {
    user_name: view.name,
    full_name: view.fullName,
    email: view.email,
    description: view.description,
    website: view.website,
    location: view.location,
    visibility: view.visibility,
    repo_admin_change_team_access: view.repoAdminChangeTeamAccess,
  };
  const formToken = formTokenOf(requireSession(session));
  return renderOrganizationSettings(
    { ...pageReader(request), organization: view, section: "general" },
    <OrganizationForm action={organizationPath(view.name, "/settings")} isNew={false} values={values} formToken={formToken} {...refused} />,
    <OrganizationEnd name={view.name} refused={end} formToken={formToken} />,
  );
}
