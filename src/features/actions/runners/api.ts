import type { UserActor } from "../../../access/actor.ts";
import { type SettingsOwner, settingsOwners } from "../../../access/settings-owner.ts";
import { invalid } from "../../../core/errors.ts";
import { readId } from "../../../core/ids.ts";
import type { Page } from "../../../core/paging.ts";
import { type Access, organization, repository, type Scope, type SubjectsOf, signedIn, siteAdmin } from "../../../http/access.ts";
import { empty, envelope, json } from "../../../http/answers.ts";
import { type QueryParameter, query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { ActionRunner, ActionRunnersResponse, EditActionRunnerOption, RegistrationToken } from "../../../wire/action-runner.ts";
import { presentRunner } from "./present.ts";
import { disableRunner, getRunner, type RunnerDeps, removeRunner, runnersOf } from "./service/runners.ts";
import { registrationToken, type TokenDeps } from "./service/tokens.ts";

export type RunnerApiDeps = RunnerDeps & TokenDeps;

/** The routes of runners, defined once for four kinds of owners. */
interface OwnerRoutes<A extends Access> {
  /** In the operation ids: `getRepoRunners`. */
  readonly id: "Repo" | "Org" | "User" | "Admin";
  readonly tokenId: string;
  readonly path: string;
  readonly tag: string;
  readonly of: string;
  readonly access: A;
  readonly scope: Scope;
  readonly refusesPublicOnly: boolean;
  readonly subjects: (request: SubjectsOf<A>) => { readonly actor: UserActor; readonly owner: SettingsOwner };
}

const declare = <const A extends Access>(declared: OwnerRoutes<A>): OwnerRoutes<A> => declared;
const { repository: ofRepository, organization: ofOrganization, user: ofUser, server: ofServer } = settingsOwners;

const repositories = declare({
  ...ofRepository,
  id: "Repo",
  tokenId: "repoCreateRunnerRegistrationToken",
  path: "/repos/{owner}/{repo}/actions/runners",
  access: repository.owner(),
});
const organizations = declare({
  ...ofOrganization,
  id: "Org",
  tokenId: "orgCreateRunnerRegistrationToken",
  path: "/orgs/{org}/actions/runners",
  access: organization.owner,
});
const users = declare({ ...ofUser, id: "User", tokenId: "userCreateRunnerRegistrationToken", path: "/user/actions/runners", access: signedIn });
const server = declare({ ...ofServer, id: "Admin", tokenId: "adminCreateRunnerRegistrationToken", path: "/admin/actions/runners", access: siteAdmin });

/** Runners of repositories, organizations, users and the server. */
export const runnerRoutes = (deps: RunnerApiDeps): Route[] => [
  ...routesOf(deps, repositories),
  ...routesOf(deps, organizations),
  ...routesOf(deps, users),
  ...routesOf(deps, server),
];

/** @compat a value that cannot be read counts as false (runners/api.test.ts) */
const disabledFilter: QueryParameter<boolean | undefined> = {
  ...query.bool("Only disabled runners, or only enabled ones"),
  read: (given, name) => (given[0] ? (query.bool("").read(given, name) ?? false) : undefined),
};

const idOf = (params: object): number => readId((params as { readonly runner_id?: string }).runner_id ?? "");

function routesOf<A extends Access>(deps: RunnerApiDeps, { id, tokenId, path, of, subjects, ...routes }: OwnerRoutes<A>): Route[] {
  const common = { tag: routes.tag, access: routes.access, scope: routes.scope, refusesPublicOnly: routes.refusesPublicOnly };
  const refusals = { 400: "error", 404: "notFound" } as const;
  return [
    defineRoute({
      ...common,
      id: `get${id}Runners`,
      method: "GET",
      path,
      summary: `List the runners of ${of}`,
      query: { disabled: disabledFilter },
      answers: envelope(ActionRunnersResponse, "total"),
      refusals,
      handle: async (request) => {
        const { items, total } = await runnersOf(deps, subjects(request).owner, request.page as Page, request.query.disabled);
        return { body: { runners: items.map(presentRunner), total_count: total }, total };
      },
    }),
    defineRoute({
      ...common,
      id: tokenId,
      method: "POST",
      path: `${path}/registration-token`,
      summary: `Get the token that registers runners of ${of}`,
      answers: json(200, RegistrationToken),
      handle: async (request) => {
        const { actor, owner } = subjects(request);
        return { token: await registrationToken(deps, actor, owner) };
      },
    }),
    defineRoute({
      ...common,
      id: `get${id}Runner`,
      method: "GET",
      path: `${path}/{runner_id}`,
      summary: `Get a runner of ${of}`,
      answers: json(200, ActionRunner),
      refusals,
      handle: async (request) => presentRunner(await getRunner(deps, subjects(request).owner, idOf(request.params))),
    }),
    defineRoute({
      ...common,
      id: `update${id}Runner`,
      method: "PATCH",
      path: `${path}/{runner_id}`,
      summary: `Disable or enable a runner of ${of}`,
      body: EditActionRunnerOption,
      answers: json(200, ActionRunner),
      refusals: { ...refusals, 422: "validationError" },
      handle: async (request) => {
        const { actor, owner } = subjects(request);
        const { disabled } = request.body;
        if (disabled === null) throw invalid("[Disabled]: Required");
        return presentRunner(await disableRunner(deps, actor, owner, idOf(request.params), disabled));
      },
    }),
    defineRoute({
      ...common,
      id: `delete${id}Runner`,
      method: "DELETE",
      path: `${path}/{runner_id}`,
      summary: `Delete a runner of ${of}`,
      answers: empty(),
      refusals,
      handle: async (request) => {
        const { actor, owner } = subjects(request);
        await removeRunner(deps, actor, owner, idOf(request.params));
      },
    }),
  ];
}
