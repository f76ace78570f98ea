import type { UserActor } from "../../../access/actor.ts";
import { type SettingsOwner, settingsOwners } from "../../../access/settings-owner.ts";
import type { FormProblem } from "../../../core/form-problem.ts";
import { readId } from "../../../core/ids.ts";
import { lengths } from "../../../core/lengths.ts";
import { type Access, organization, repository, type Scope, type SubjectsOf, signedIn, siteAdmin } from "../../../http/access.ts";
import type { RawReply } from "../../../http/answers.ts";
import { savedAt, submit } from "../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../http/page-reader.ts";
import { settingsPage } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import { organizationPath, settingsPath } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import { renderAccountSettings, renderAdministration, renderOrganizationSettings, renderRepositorySettings } from "../../../ui/settings.tsx";
import { field, inPlace, text } from "../../../wire/schema.ts";
import { repositoryHeader } from "../../repositories/repos/header.ts";
import { getRepository } from "../../repositories/repos/service/loaders.ts";
import { listSecrets, putSecret, removeSecret, type SecretDeps } from "../secrets/service/secrets.ts";
import { listVariables, putVariable, removeVariable } from "../secrets/service/variables.ts";
import { disableRunner, ownersOfRunners, type RunnerDeps, removeRunner, runnersOf } from "./service/runners.ts";
import { existingToken, renewToken, type TokenDeps } from "./service/tokens.ts";
import { ActionsDisabled, type ActionsSettingsProps, ActionsSettingsView } from "./views/settings.tsx";

export type ActionsSettingsDeps = RunnerDeps & TokenDeps & SecretDeps;

interface OwnerPages<A extends Access> {
  readonly id: "Repository" | "Organization" | "User" | "Server";
  readonly path: string;
  readonly tag: string;
  readonly of: string;
  readonly access: A;
  readonly scope: Scope;
  readonly refusesPublicOnly: boolean;
  readonly subjects: (request: SubjectsOf<A>) => OwnerPage;
}

/** The owner in one request. */
interface OwnerPage {
  readonly actor: UserActor;
  readonly owner: SettingsOwner;
  readonly path: string;
  readonly frame: (deps: ActionsSettingsDeps, request: PageRequest, content: Html) => Promise<RawReply> | RawReply;
}

const declare = <const A extends Access>(declared: OwnerPages<A>): OwnerPages<A> => declared;

const ofRepository = declare({
  ...settingsOwners.repository,
  id: "Repository",
  path: "/{owner}/{repo}/settings/actions",
  access: repository.owner(),
  subjects: (given) => ({
    ...settingsOwners.repository.subjects(given),
    path: settingsPath(given.repository, "/actions"),
    frame: async ({ db }, request, content) => {
      const view = await getRepository({ db }, given.actor, given.repository.id);
      const isOff = !view.settings.hasActions && <ActionsDisabled settings={settingsPath(given.repository)} />;
      return renderRepositorySettings({ ...pageReader(request), repository: repositoryHeader(view), section: "actions" }, isOff, content);
    },
  }),
});
const ofOrganization = declare({
  ...settingsOwners.organization,
  id: "Organization",
  path: "/org/{org}/settings/actions",
  access: organization.owner,
  subjects: (given) => ({
    ...settingsOwners.organization.subjects(given),
    path: organizationPath(given.organization.name, "/settings/actions"),
    frame: (_, request, content) => renderOrganizationSettings({ ...pageReader(request), organization: given.organization, section: "actions" }, content),
  }),
});
const ofUser = declare({
  ...settingsOwners.user,
  id: "User",
  path: "/user/settings/actions",
  access: signedIn,
  subjects: (given) => ({
    ...settingsOwners.user.subjects(given),
    path: "/user/settings/actions",
    frame: (_, request, content) => renderAccountSettings({ ...pageReader(request), section: "actions" }, content),
  }),
});
const ofServer = declare({
  ...settingsOwners.server,
  id: "Server",
  path: "/-/admin/actions",
  access: siteAdmin,
  subjects: (given) => ({
    ...settingsOwners.server.subjects(given),
    path: "/-/admin/actions",
    frame: (_, request, content) => renderAdministration({ ...pageReader(request), section: "actions" }, content),
  }),
});

/** Secrets, variables and runners in the settings of each owner. The server has runners only. */
export const actionsSettingsPages = (deps: ActionsSettingsDeps): Route[] => [
  ...pagesOf(deps, ofRepository),
  ...valuePagesOf(deps, ofRepository),
  ...pagesOf(deps, ofOrganization),
  ...valuePagesOf(deps, ofOrganization),
  ...pagesOf(deps, ofUser),
  ...valuePagesOf(deps, ofUser),
  ...pagesOf(deps, ofServer),
];

const NoFields = inPlace({});
const NamedFields = inPlace({ name: text() });
const RunnerFields = inPlace({ id: text() });
const ValueFields = inPlace({ name: text(), value: field("value", text(lengths.key)) });

const maxShown = { page: 1, limit: 1_000, offset: 0 };

const pageOf = <A extends Access>({ tag, access, scope, refusesPublicOnly }: OwnerPages<A>) =>
  ({ ...settingsPage, tag, access, scope, refusesPublicOnly }) as const;

async function show(deps: ActionsSettingsDeps, request: PageRequest, page: OwnerPage, problem?: ActionsSettingsProps["problem"]): Promise<RawReply> {
  const { owner, path } = page;
  const { items: runners } = await runnersOf(deps, owner, maxShown);
  const isServer = owner.scope === "server";
  const values = isServer
    ? undefined
    : { secrets: (await listSecrets(deps, owner, maxShown)).items, variables: (await listVariables(deps, owner, maxShown)).items };
  const ids = runners.map(({ id }) => id);
  const owners = isServer ? await ownersOfRunners(deps, ids) : undefined;
  const token = await existingToken(deps, owner);
  const formToken = formTokenOf(requireSession(request.session));
  return page.frame(deps, request, <ActionsSettingsView {...{ path, formToken, values, runners, owners, token, problem }} />);
}

/** The request, as the frame of the page reads it. */
const requestOf = (request: object, { actor }: OwnerPage): PageRequest => ({ ...(request as PageRequest), actor });

function pagesOf<A extends Access>(deps: ActionsSettingsDeps, pages: OwnerPages<A>): Route[] {
  const { id, path, of, subjects } = pages;
  const page = pageOf(pages);
  return [
    defineRoute({
      ...page,
      id: `actionsOf${id}Page`,
      method: "GET",
      path,
      summary: `Secrets, variables and runners of ${of}`,
      handle: (request) => {
        const own = subjects(request as SubjectsOf<A>);
        return show(deps, requestOf(request, own), own);
      },
    }),
    defineRoute({
      ...page,
      id: `renewTokenOf${id}`,
      method: "POST",
      path: `${path}/token`,
      summary: `Replace the token that registers runners of ${of}`,
      body: NoFields,
      handle: async (request) => {
        const own = subjects(request as SubjectsOf<A>);
        await renewToken(deps, own.actor, own.owner);
        return savedAt(own.path);
      },
    }),
    ...(["enable", "disable"] as const).map((does) =>
      defineRoute({
        ...page,
        id: `${does}RunnerOf${id}`,
        method: "POST",
        path: `${path}/runners/${does}`,
        summary: does === "enable" ? `Enable a runner of ${of}` : `Disable a runner of ${of}`,
        body: RunnerFields,
        handle: async (request) => {
          const own = subjects(request as SubjectsOf<A>);
          await disableRunner(deps, own.actor, own.owner, readId(request.body.id), does === "disable");
          return savedAt(own.path);
        },
      }),
    ),
    defineRoute({
      ...page,
      id: `deleteRunnerOf${id}`,
      method: "POST",
      path: `${path}/runners/delete`,
      summary: `Delete a runner of ${of}`,
      body: RunnerFields,
      handle: async (request) => {
        const own = subjects(request as SubjectsOf<A>);
        await removeRunner(deps, own.actor, own.owner, readId(request.body.id));
        return savedAt(own.path, "deleted");
      },
    }),
  ];
}

function valuePagesOf<A extends Access>(deps: ActionsSettingsDeps, pages: OwnerPages<A>): Route[] {
  const { id, path, of, subjects } = pages;
  const page = pageOf(pages);
  return [
    defineRoute({
      ...page,
      id: `saveSecretOf${id}`,
      method: "POST",
      path: `${path}/secrets`,
      summary: `Add or replace a secret of ${of}`,
      body: ValueFields,
      handle: (request) => {
        const own = subjects(request as SubjectsOf<A>);
        const { name, value } = request.body;
        const save = async (): Promise<RawReply> => {
          await putSecret(deps, own.actor, own.owner, { name: name.trim(), value, description: "" });
          return savedAt(own.path);
        };
        return submit(save, (about: FormProblem) => show(deps, requestOf(request, own), own, { form: "secret", name, value: "", about }));
      },
    }),
    defineRoute({
      ...page,
      id: `deleteSecretOf${id}`,
      method: "POST",
      path: `${path}/secrets/delete`,
      summary: `Delete a secret of ${of}`,
      body: NamedFields,
      handle: async (request) => {
        const own = subjects(request as SubjectsOf<A>);
        await removeSecret(deps, own.actor, own.owner, request.body.name);
        return savedAt(own.path, "deleted");
      },
    }),
    defineRoute({
      ...page,
      id: `saveVariableOf${id}`,
      method: "POST",
      path: `${path}/variables`,
      summary: `Add or replace a variable of ${of}`,
      body: ValueFields,
      handle: (request) => {
        const own = subjects(request as SubjectsOf<A>);
        const { name, value } = request.body;
        const save = async (): Promise<RawReply> => {
          await putVariable(deps, own.actor, own.owner, { name: name.trim(), value, description: "" });
          return savedAt(own.path);
        };
        return submit(save, (about: FormProblem) => show(deps, requestOf(request, own), own, { form: "variable", name, value, about }));
      },
    }),
    defineRoute({
      ...page,
      id: `deleteVariableOf${id}`,
      method: "POST",
      path: `${path}/variables/delete`,
      summary: `Delete a variable of ${of}`,
      body: NamedFields,
      handle: async (request) => {
        const own = subjects(request as SubjectsOf<A>);
        await removeVariable(deps, own.actor, own.owner, request.body.name);
        return savedAt(own.path, "deleted");
      },
    }),
  ];
}
