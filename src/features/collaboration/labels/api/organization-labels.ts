import { readId } from "../../../../core/ids.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { organization } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { CreateLabelOption, EditLabelOption, Label } from "../../../../wire/label.ts";
import { presentOrganizationLabel } from "../present.ts";
import { createLabel, editLabel, getLabel, listLabels, removeLabel } from "../service/labels.ts";
import { readLabelEdit, readNewLabel } from "./read-options.ts";

export interface OrganizationLabelApiDeps {
  readonly db: Db;
  readonly urls: Urls;
}

/** Labels that can be used in all repositories of an organization. */
export function organizationLabelRoutes(deps: OrganizationLabelApiDeps): Route[] {
  const { urls } = deps;
  const ofOrganization = ({ id }: { readonly id: number }) => ({ orgId: id });
  return [
    defineRoute({
      id: "orgListLabels",
      method: "GET",
      path: "/orgs/{org}/labels",
      tag: "organization",
      summary: "List the labels of an organization, sorted by name",
      access: organization.visible,
      scope: "organization",
      answers: list(Label, "total"),
      refusals: { 404: "notFound" },
      handle: async ({ organization, page }) => {
        const { items, total } = await listLabels(deps, ofOrganization(organization), page);
        return { total, items: items.map((label) => presentOrganizationLabel(label, organization.name, urls)) };
      },
    }),
    defineRoute({
      id: "orgCreateLabel",
      method: "POST",
      path: "/orgs/{org}/labels",
      tag: "organization",
      summary: "Create a label for all repositories of an organization",
      access: organization.owner,
      scope: "organization",
      body: CreateLabelOption,
      answers: json(201, Label),
      refusals: { 404: "notFound", 422: "validationError" },
      handle: async ({ actor, organization, body }) =>
        presentOrganizationLabel(await createLabel(deps, actor, ofOrganization(organization), readNewLabel(body)), organization.name, urls),
    }),
    defineRoute({
      id: "orgGetLabel",
      method: "GET",
      path: "/orgs/{org}/labels/{id}",
      tag: "organization",
      summary: "Get a label of an organization",
      access: organization.signedIn,
      scope: "organization",
      answers: json(200, Label),
      refusals: { 404: "notFound" },
      handle: async ({ organization, params }) =>
        presentOrganizationLabel(await getLabel(deps, ofOrganization(organization), readId(params.id)), organization.name, urls),
    }),
    defineRoute({
      id: "orgEditLabel",
      method: "PATCH",
      path: "/orgs/{org}/labels/{id}",
      tag: "organization",
      summary: "Update a label of an organization; omitted fields stay unchanged",
      access: organization.owner,
      scope: "organization",
      body: EditLabelOption,
      answers: json(200, Label),
      refusals: { 404: "notFound", 422: "validationError" },
      handle: async ({ actor, organization, params, body }) =>
        presentOrganizationLabel(await editLabel(deps, actor, ofOrganization(organization), readId(params.id), readLabelEdit(body)), organization.name, urls),
    }),
    defineRoute({
      id: "orgDeleteLabel",
      method: "DELETE",
      path: "/orgs/{org}/labels/{id}",
      tag: "organization",
      summary: "Delete a label of an organization and remove it from all issues",
      access: organization.owner,
      scope: "organization",
      answers: empty(),
      refusals: { 404: "notFound" },
      handle: ({ actor, organization, params }) => removeLabel(deps, actor, ofOrganization(organization), readId(params.id)),
    }),
  ];
}
