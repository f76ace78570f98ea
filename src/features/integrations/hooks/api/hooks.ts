import type { Access } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { CreateHookOption, EditHookOption, Hook } from "../../../../wire/hook.ts";
import type { ServerHooks } from "../model.ts";
import { presentHook } from "../present.ts";
import { createHook, editHook, getHook, type HookDeps, listHooks, removeHook } from "../service/hooks.ts";
import { common, type HookOwnerPages, hookIdOf, organizationHooks, repositoryHooks, serverHooks, userHooks } from "./hook-owners.ts";

/** Webhooks of repositories, organizations, users and the server. */
export function hookRoutes(deps: HookDeps): Route[] {
  return [
    listRoute(deps, repositoryHooks),
    listRoute(deps, organizationHooks),
    listRoute(deps, userHooks),
    defineRoute({
      ...common(serverHooks),
      id: "adminListHooks",
      method: "GET",
      path: serverHooks.path,
      summary: "List the webhooks of the server",
      query: {
        type: query.text("System webhooks, default webhooks that are copied into new repositories, or both; system if omitted", ["system", "default", "all"]),
      },
      answers: list(Hook, "total"),
      handle: async ({ query, page }) => {
        const which: ServerHooks = query.type === "default" || query.type === "all" ? query.type : "system";
        const { items, total } = await listHooks(deps, { scope: "server" }, page, which);
        return { total, items: items.map((hook) => presentHook(hook)) };
      },
    }),
    ...changeRoutes(deps, repositoryHooks),
    ...changeRoutes(deps, organizationHooks),
    ...changeRoutes(deps, userHooks),
    ...changeRoutes(deps, serverHooks),
  ];
}

const listRoute = <A extends Access>(deps: HookDeps, ownerPages: HookOwnerPages<A>): Route =>
  defineRoute({
    ...common(ownerPages),
    id: `${ownerPages.id}ListHooks`,
    method: "GET",
    path: ownerPages.path,
    summary: `The webhooks of ${ownerPages.of}`,
    answers: list(Hook, "total"),
    handle: async (request) => {
      const { items, total } = await listHooks(deps, ownerPages.subjects(request).owner, request.page);
      return { total, items: items.map((hook) => presentHook(hook)) };
    },
  });

function changeRoutes<A extends Access>(deps: HookDeps, ownerPages: HookOwnerPages<A>): Route[] {
  const { id, path, of, subjects } = ownerPages;
  return [
    defineRoute({
      ...common(ownerPages),
      id: `${id}CreateHook`,
      method: "POST",
      path,
      summary: `Add a webhook to ${of}`,
      body: CreateHookOption,
      answers: json(201, Hook),
      handle: async (request) => {
        const { actor, owner } = subjects(request);
        const { type, name, config, events, branch_filter, authorization_header, active } = request.body;
        const hook = {
          type,
          name,
          config: config ?? {},
          events: events ?? [],
          branchFilter: branch_filter,
          authorizationHeader: authorization_header,
          isActive: active,
        };
        return presentHook(await createHook(deps, actor, owner, hook), authorization_header);
      },
    }),
    defineRoute({
      ...common(ownerPages),
      id: `${id}GetHook`,
      method: "GET",
      path: `${path}/{id}`,
      summary: `Get a webhook of ${of}`,
      answers: json(200, Hook),
      refusals: { 404: "notFound" },
      handle: async (request) => presentHook(await getHook(deps, subjects(request).owner, hookIdOf(request.params))),
    }),
    defineRoute({
      ...common(ownerPages),
      id: `${id}EditHook`,
      method: "PATCH",
      path: `${path}/{id}`,
      summary: `Edit a webhook of ${of}; omitted events, branch filter and authorization header are reset to their defaults`,
      body: EditHookOption,
      answers: json(200, Hook),
      refusals: { 404: "notFound" },
      handle: async (request) => {
        const { actor, owner } = subjects(request);
        const { name, config, events, branch_filter, authorization_header, active } = request.body;
        const edit = { name, config, events, branchFilter: branch_filter, authorizationHeader: authorization_header, isActive: active };
        return presentHook(await editHook(deps, actor, owner, hookIdOf(request.params), edit), authorization_header);
      },
    }),
    defineRoute({
      ...common(ownerPages),
      id: `${id}DeleteHook`,
      method: "DELETE",
      path: `${path}/{id}`,
      summary: `Delete a webhook of ${of} with its deliveries`,
      answers: empty(),
      refusals: { 404: "notFound" },
      handle: (request) => removeHook(deps, subjects(request).actor, subjects(request).owner, hookIdOf(request.params)),
    }),
  ];
}
