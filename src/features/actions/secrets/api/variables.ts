import type { Access } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { ActionVariable, CreateVariableOption, UpdateVariableOption } from "../../../../wire/action-secret.ts";
import { presentVariable } from "../present.ts";
import { createVariable, editVariable, getVariable, listVariables, removeVariable, type VariableDeps } from "../service/variables.ts";
import { common, nameIn, type OwnerRoutes, ofOrganization, ofRepository, ofUser } from "./owners.ts";

/** Variables of repositories, organizations and users. */
export const variableRoutes = (deps: VariableDeps): Route[] => [
  ...routesOf(deps, ofRepository, {
    list: "getRepoVariablesList",
    get: "getRepoVariable",
    create: "createRepoVariable",
    update: "updateRepoVariable",
    remove: "deleteRepoVariable",
  }),
  ...routesOf(deps, ofOrganization, {
    list: "getOrgVariablesList",
    get: "getOrgVariable",
    create: "createOrgVariable",
    update: "updateOrgVariable",
    remove: "deleteOrgVariable",
  }),
  ...routesOf(deps, ofUser, {
    list: "getUserVariablesList",
    get: "getUserVariable",
    create: "createUserVariable",
    update: "updateUserVariable",
    remove: "deleteUserVariable",
  }),
];

type Ids = Readonly<Record<"list" | "get" | "create" | "update" | "remove", string>>;

const routesOf = <A extends Access>(deps: VariableDeps, routes: OwnerRoutes<A>, ids: Ids): Route[] => [
  defineRoute({
    ...common(routes),
    id: ids.list,
    method: "GET",
    path: `${routes.path}/variables`,
    summary: `List the variables of ${routes.of}`,
    answers: list(ActionVariable, "links"),
    refusals: { 400: "error", 404: "notFound" },
    handle: async (request) => {
      const { items, total } = await listVariables(deps, routes.subjects(request).owner, request.page);
      return { items: items.map(presentVariable), total };
    },
  }),
  defineRoute({
    ...common(routes),
    id: ids.get,
    method: "GET",
    path: `${routes.path}/variables/{variablename}`,
    summary: `Get a variable of ${routes.of}`,
    answers: json(200, ActionVariable),
    refusals: { 400: "error", 404: "notFound" },
    handle: async (request) => presentVariable(await getVariable(deps, routes.subjects(request).owner, nameIn(request.params, "variablename"))),
  }),
  defineRoute({
    ...common(routes),
    id: ids.create,
    method: "POST",
    path: `${routes.path}/variables/{variablename}`,
    summary: `Add a variable to ${routes.of}`,
    body: CreateVariableOption,
    answers: empty(201),
    refusals: { 400: "error", 409: "error" },
    handle: async (request) => {
      const { actor, owner } = routes.subjects(request);
      const { value, description } = request.body;
      await createVariable(deps, actor, owner, { name: nameIn(request.params, "variablename"), value, description });
    },
  }),
  defineRoute({
    ...common(routes),
    id: ids.update,
    method: "PUT",
    path: `${routes.path}/variables/{variablename}`,
    summary: `Replace or rename a variable of ${routes.of}; an omitted description is emptied`,
    body: UpdateVariableOption,
    answers: empty(),
    refusals: { 400: "error", 404: "notFound", 409: "error" },
    handle: async (request) => {
      const { actor, owner } = routes.subjects(request);
      const { name, value, description } = request.body;
      const present = nameIn(request.params, "variablename");
      await editVariable(deps, actor, owner, present, { name: name === "" ? present : name, value, description });
    },
  }),
  defineRoute({
    ...common(routes),
    id: ids.remove,
    method: "DELETE",
    path: `${routes.path}/variables/{variablename}`,
    summary: `Delete a variable of ${routes.of}`,
    answers: empty(),
    refusals: { 400: "error", 404: "notFound" },
    handle: async (request) => {
      const { actor, owner } = routes.subjects(request);
      await removeVariable(deps, actor, owner, nameIn(request.params, "variablename"));
    },
  }),
];
