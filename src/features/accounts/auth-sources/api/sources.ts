import { readId } from "../../../../core/ids.ts";
import type { Urls } from "../../../../core/urls.ts";
import { siteAdmin } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { AuthenticationSource, CreateSourceOption, EditSourceOption } from "../../../../wire/source.ts";
import { presentSource } from "../present.ts";
import { checkSource, createSource, editSource, getSource, listSources, removeSource, type SourceDeps } from "../service/sources.ts";
import { readSource, readSourceChanges } from "./input.ts";

export interface SourceApiDeps extends SourceDeps {
  readonly urls: Urls;
}

/** Sign-in sources: directories and providers that check credentials outside of Hearth. Beyond the contract. */
export function sourceRoutes(deps: SourceApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "adminListSources",
      method: "GET",
      path: "/admin/sources",
      tag: "admin",
      summary: "List the sign-in sources",
      access: siteAdmin,
      scope: "admin",
      answers: list(AuthenticationSource, "links"),
      refusals: { 403: "forbidden" },
      handle: async ({ page }) => {
        const { total, items } = await listSources(deps, page);
        return { total, items: items.map((source) => presentSource(source, urls)) };
      },
    }),
    defineRoute({
      id: "adminCreateSource",
      method: "POST",
      path: "/admin/sources",
      tag: "admin",
      summary: "Add a sign-in source",
      access: siteAdmin,
      scope: "admin",
      body: CreateSourceOption,
      answers: json(201, AuthenticationSource),
      refusals: { 403: "forbidden", 422: "validationError" },
      handle: async ({ actor, body }) => presentSource(await createSource(deps, actor, readSource(body)), urls),
    }),
    defineRoute({
      id: "adminGetSource",
      method: "GET",
      path: "/admin/sources/{id}",
      tag: "admin",
      summary: "Get a sign-in source",
      access: siteAdmin,
      scope: "admin",
      answers: json(200, AuthenticationSource),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: async ({ params }) => presentSource(await getSource(deps, readId(params.id)), urls),
    }),
    defineRoute({
      id: "adminEditSource",
      method: "PATCH",
      path: "/admin/sources/{id}",
      tag: "admin",
      summary: "Edit a sign-in source",
      access: siteAdmin,
      scope: "admin",
      body: EditSourceOption,
      answers: json(200, AuthenticationSource),
      refusals: { 403: "forbidden", 404: "notFound", 422: "validationError" },
      handle: async ({ actor, params, body }) => presentSource(await editSource(deps, actor, readId(params.id), readSourceChanges(body)), urls),
    }),
    defineRoute({
      id: "adminDeleteSource",
      method: "DELETE",
      path: "/admin/sources/{id}",
      tag: "admin",
      summary: "Remove a sign-in source that has no users",
      access: siteAdmin,
      scope: "admin",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound", 409: "conflict" },
      handle: ({ actor, params }) => removeSource(deps, actor, readId(params.id)),
    }),
    defineRoute({
      id: "adminCheckSource",
      method: "POST",
      path: "/admin/sources/{id}/check",
      tag: "admin",
      summary: "Check whether a sign-in source works",
      access: siteAdmin,
      scope: "admin",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ params }) => checkSource(deps, readId(params.id)),
    }),
  ];
}
