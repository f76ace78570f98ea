import { siteAdmin } from "../../../http/access.ts";
import { empty, list } from "../../../http/answers.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { text } from "../../../wire/schema.ts";
import { type AdoptionDeps, adoptRepository, deleteUnadopted, listUnadopted } from "./service.ts";

/** Routes for repositories that an operator placed on the disk. */
export function adoptionRoutes(deps: AdoptionDeps): Route[] {
  return [
    defineRoute({
      id: "adminUnadoptedList",
      method: "GET",
      path: "/admin/unadopted",
      tag: "admin",
      summary: "List the repositories on the disk that can be adopted",
      access: siteAdmin,
      scope: "admin",
      query: { pattern: query.text("A pattern for the owner's name, or for both: `own*/rep*`") },
      answers: list(text(), "total"),
      refusals: { 403: "forbidden" },
      handle: ({ query: { pattern }, page }) => listUnadopted(deps, pattern ?? "", page),
    }),
    defineRoute({
      id: "adminAdoptRepository",
      method: "POST",
      path: "/admin/unadopted/{owner}/{repo}",
      tag: "admin",
      summary: "Adopt a repository that is on the disk",
      access: siteAdmin,
      scope: "admin",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound", 409: "conflict", 422: "validationError" },
      handle: ({ actor, params }) => adoptRepository(deps, actor, params.owner, params.repo),
    }),
    defineRoute({
      id: "adminDeleteUnadoptedRepository",
      method: "DELETE",
      path: "/admin/unadopted/{owner}/{repo}",
      tag: "admin",
      summary: "Delete a repository on the disk that can be adopted",
      access: siteAdmin,
      scope: "admin",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ params }) => deleteUnadopted(deps, params.owner, params.repo),
    }),
  ];
}
