import type { Urls } from "../../../core/urls.ts";
import { account, anyone, organization, signedIn, siteAdmin } from "../../../http/access.ts";
import { empty, json, list } from "../../../http/answers.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { CreateOrgOption, EditOrgOption, Organization, RenameOrgOption } from "../../../wire/organization.ts";
import { presentOrganization } from "./present.ts";
import { listAllOrganizations, listOrganizations, listOrganizationsOf } from "./service/lists.ts";
import {
  createOrganization,
  deleteOrganization,
  editOrganization,
  getOrganization,
  type NewOrganizationInput,
  type OrganizationDeps,
  type OrganizationEdit,
  renameOrganization,
} from "./service/organizations.ts";

export interface OrganizationApiDeps extends OrganizationDeps {
  readonly urls: Urls;
}

export function organizationRoutes(deps: OrganizationApiDeps): Route[] {
  const { urls } = deps;
  return [
    ...listRoutes(deps),
    ...adminRoutes(deps),
    defineRoute({
      id: "orgCreate",
      method: "POST",
      path: "/orgs",
      tag: "organization",
      summary: "Create an organization owned by the caller",
      access: signedIn,
      scope: "organization",
      body: CreateOrgOption,
      answers: json(201, Organization),
      refusals: { 403: "forbidden", 422: "validationError" },
      handle: async ({ actor, body }) =>
        presentOrganization(await createOrganization(deps, actor, { id: actor.id, kind: "user" }, readNewOrganization(body)), actor, urls),
    }),
    defineRoute({
      id: "orgGet",
      method: "GET",
      path: "/orgs/{org}",
      tag: "organization",
      summary: "Get an organization",
      access: organization.visible,
      scope: "organization",
      answers: json(200, Organization),
      refusals: { 404: "notFound" },
      handle: async ({ actor, organization }) => presentOrganization(await getOrganization(deps, organization.id), actor, urls),
    }),
    defineRoute({
      id: "orgEdit",
      method: "PATCH",
      path: "/orgs/{org}",
      tag: "organization",
      summary: "Edit an organization; omitted fields stay unchanged",
      access: organization.owner,
      scope: "organization",
      body: EditOrgOption,
      answers: json(200, Organization),
      refusals: { 404: "notFound" },
      handle: async ({ actor, organization, body }) => presentOrganization(await editOrganization(deps, actor, organization, readEdit(body)), actor, urls),
    }),
    defineRoute({
      id: "orgDelete",
      method: "DELETE",
      path: "/orgs/{org}",
      tag: "organization",
      summary: "Delete an organization without repositories",
      access: organization.owner,
      scope: "organization",
      answers: empty(),
      refusals: { 404: "notFound", 422: "validationError" },
      handle: ({ actor, organization }) => deleteOrganization(deps, actor, organization),
    }),
    defineRoute({
      id: "renameOrg",
      method: "POST",
      path: "/orgs/{org}/rename",
      tag: "organization",
      summary: "Rename an organization",
      access: organization.owner,
      scope: "organization",
      body: RenameOrgOption,
      answers: empty(),
      refusals: { 403: "forbidden", 422: "validationError" },
      handle: ({ actor, organization, body }) => renameOrganization(deps, actor, organization, body.new_name),
    }),
  ];
}

function adminRoutes(deps: OrganizationApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "adminCreateOrg",
      method: "POST",
      path: "/admin/users/{username}/orgs",
      tag: "admin",
      summary: "Create an organization owned by a user",
      access: account.siteAdmin,
      scope: "admin",
      body: CreateOrgOption,
      answers: json(201, Organization),
      refusals: { 403: "forbidden", 422: "validationError" },
      handle: async ({ actor, account, body }) => presentOrganization(await createOrganization(deps, actor, account, readNewOrganization(body)), actor, urls),
    }),
    defineRoute({
      id: "adminGetAllOrgs",
      method: "GET",
      path: "/admin/orgs",
      tag: "admin",
      summary: "List all organizations",
      access: siteAdmin,
      scope: "admin",
      query: { q: query.text("Part of a name") },
      answers: list(Organization, "links"),
      refusals: { 403: "forbidden" },
      handle: async ({ actor, page, query: { q } }) => {
        const found = await listAllOrganizations(deps, page, q);
        return { total: found.total, items: found.items.map((view) => presentOrganization(view, actor, urls)) };
      },
    }),
    defineRoute({
      id: "adminListUserOrgs",
      method: "GET",
      path: "/admin/users/{username}/orgs",
      tag: "admin",
      summary: "List the organizations of a user",
      isUnlisted: true,
      access: account.siteAdmin,
      scope: "admin",
      answers: list(Organization, "links"),
      refusals: { 403: "forbidden" },
      handle: async ({ actor, account, page }) => {
        const found = await listOrganizationsOf(deps, actor, account.id, page);
        return { total: found.total, items: found.items.map((view) => presentOrganization(view, actor, urls)) };
      },
    }),
  ];
}

function listRoutes(deps: OrganizationApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "orgGetAll",
      method: "GET",
      path: "/orgs",
      tag: "organization",
      summary: "List the organizations that the caller can see",
      access: anyone,
      scope: "organization",
      answers: list(Organization, "links"),
      handle: async ({ actor, page }) => {
        const found = await listOrganizations(deps, actor, page);
        return { total: found.total, items: found.items.map((view) => presentOrganization(view, actor, urls)) };
      },
    }),
    defineRoute({
      id: "orgListCurrentUserOrgs",
      method: "GET",
      path: "/user/orgs",
      tag: "organization",
      summary: "List the organizations of the authenticated user",
      access: signedIn,
      scope: ["user", "organization"],
      answers: list(Organization, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, page }) => {
        const found = await listOrganizationsOf(deps, actor, actor.id, page);
        return { total: found.total, items: found.items.map((view) => presentOrganization(view, actor, urls)) };
      },
    }),
    defineRoute({
      id: "orgListUserOrgs",
      method: "GET",
      path: "/users/{username}/orgs",
      tag: "organization",
      summary: "List a user's organizations, limited to those that the caller can see",
      access: account.signedIn,
      scope: ["user", "organization"],
      answers: list(Organization, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, account, page }) => {
        const found = await listOrganizationsOf(deps, actor, account.id, page);
        return { total: found.total, items: found.items.map((view) => presentOrganization(view, actor, urls)) };
      },
    }),
  ];
}

const readNewOrganization = (option: CreateOrgOption): NewOrganizationInput => ({
  name: option.username,
  fullName: option.full_name,
  email: option.email,
  description: option.description,
  website: option.website,
  location: option.location,
  visibility: option.visibility === "" ? "public" : option.visibility,
  repoAdminChangeTeamAccess: option.repo_admin_change_team_access,
});

const readEdit = (option: EditOrgOption): OrganizationEdit => ({
  fullName: option.full_name,
  email: option.email,
  description: option.description,
  website: option.website,
  location: option.location,
  visibility: option.visibility === "" ? null : option.visibility,
  repoAdminChangeTeamAccess: option.repo_admin_change_team_access,
});
