import type { Access } from "../../../../http/access.ts";
import { empty, list, silent } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { CreateOrUpdateSecretOption, Secret } from "../../../../wire/action-secret.ts";
import { presentSecret } from "../present.ts";
import { listSecrets, putSecret, removeSecret, type SecretDeps } from "../service/secrets.ts";
import { common, nameIn, type OwnerRoutes, ofOrganization, ofRepository, ofUser } from "./owners.ts";

/** Secrets of repositories, organizations and users. */
export function secretRoutes(deps: SecretDeps): Route[] {
  return [
    listRoute(deps, ofRepository, "repoListActionsSecrets"),
    listRoute(deps, ofOrganization, "orgListActionsSecrets"),
    ...changeRoutes(deps, ofRepository),
    ...changeRoutes(deps, ofOrganization),
    ...changeRoutes(deps, ofUser),
  ];
}

const listRoute = <A extends Access>(deps: SecretDeps, routes: OwnerRoutes<A>, id: string): Route =>
  defineRoute({
    ...common(routes),
    id,
    method: "GET",
    path: `${routes.path}/secrets`,
    summary: `List the names of the secrets of ${routes.of}`,
    answers: list(Secret, "links"),
    refusals: { 404: "notFound" },
    handle: async (request) => {
      const { items, total } = await listSecrets(deps, routes.subjects(request).owner, request.page);
      return { items: items.map(presentSecret), total };
    },
  });

const changeRoutes = <A extends Access>(deps: SecretDeps, routes: OwnerRoutes<A>): Route[] => [
  defineRoute({
    ...common(routes),
    id: `update${routes.id}Secret`,
    method: "PUT",
    path: `${routes.path}/secrets/{secretname}`,
    summary: `Add or replace a secret of ${routes.of}`,
    body: CreateOrUpdateSecretOption,
    answers: silent(201, 204),
    refusals: { 400: "error", 404: "notFound" },
    handle: async (request) => {
      const { actor, owner } = routes.subjects(request);
      const { data: value, description } = request.body;
      const { isNew } = await putSecret(deps, actor, owner, { name: nameIn(request.params, "secretname"), value, description });
      return { status: isNew ? 201 : 204 };
    },
  }),
  defineRoute({
    ...common(routes),
    id: `delete${routes.id}Secret`,
    method: "DELETE",
    path: `${routes.path}/secrets/{secretname}`,
    summary: `Delete a secret of ${routes.of}`,
    answers: empty(),
    refusals: { 400: "error", 404: "notFound" },
    handle: async (request) => {
      const { actor, owner } = routes.subjects(request);
      await removeSecret(deps, actor, owner, nameIn(request.params, "secretname"));
    },
  }),
];
