import { notFound } from "../../../../core/errors.ts";
import { encodeSegment, type Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { organization, team } from "../../../../http/access.ts";
import { empty, json, list, silent } from "../../../../http/answers.ts";
import { redirectTo } from "../../../../http/redirect.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { User } from "../../../../wire/user.ts";
import { presentUser } from "../../../accounts/users/present.ts";
import {
  addTeamMember,
  getTeamMember,
  isMember,
  isPublicMember,
  listMembers,
  listPublicMembers,
  listTeamMembers,
  removeMember,
  removeTeamMember,
  showMembership,
} from "../service/members.ts";

export interface MemberApiDeps {
  readonly db: Db;
  readonly urls: Urls;
}

/** Members of organizations and teams. */
export function memberRoutes(deps: MemberApiDeps): Route[] {
  const { urls } = deps;
  return [
    ...publicMemberRoutes(deps),
    ...teamMemberRoutes(deps),
    defineRoute({
      id: "orgListMembers",
      method: "GET",
      path: "/orgs/{org}/members",
      tag: "organization",
      summary: "List the members of an organization; outsiders see only public members",
      access: organization.signedIn,
      scope: "organization",
      answers: list(User, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, organization, page }) => {
        const members = await listMembers(deps, actor, organization, page);
        return { total: members.total, items: members.items.map((user) => presentUser(user, actor, urls)) };
      },
    }),
    defineRoute({
      id: "orgIsMember",
      method: "GET",
      path: "/orgs/{org}/members/{username}",
      tag: "organization",
      summary: "Check whether a user is a member; outsiders are redirected to the public members",
      access: organization.signedIn,
      scope: "organization",
      answers: silent(204),
      refusals: { 303: "redirect", 404: "notFound" },
      handle: async ({ actor, organization, params }) => {
        const answer = await isMember(deps, actor, organization, params.username);
        if (answer === undefined) return redirectTo(`/api/v1/orgs/${organization.name}/public_members/${encodeSegment(params.username)}`, 303);
        if (!answer) throw notFound();
        return { status: 204 };
      },
    }),
    defineRoute({
      id: "orgDeleteMember",
      method: "DELETE",
      path: "/orgs/{org}/members/{username}",
      tag: "organization",
      summary: "Remove a member from all teams; members may remove themselves",
      access: organization.signedIn,
      scope: "organization",
      answers: empty(),
      refusals: { 404: "notFound", 422: "validationError" },
      handle: ({ actor, organization, params }) => removeMember(deps, actor, organization, params.username),
    }),
  ];
}

function publicMemberRoutes(deps: MemberApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "orgListPublicMembers",
      method: "GET",
      path: "/orgs/{org}/public_members",
      tag: "organization",
      summary: "List the public members of an organization",
      access: organization.visible,
      scope: "organization",
      answers: list(User, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, organization, page }) => {
        const members = await listPublicMembers(deps, actor, organization, page);
        return { total: members.total, items: members.items.map((user) => presentUser(user, actor, urls)) };
      },
    }),
    defineRoute({
      id: "orgIsPublicMember",
      method: "GET",
      path: "/orgs/{org}/public_members/{username}",
      tag: "organization",
      summary: "Check whether a user is a public member",
      access: organization.visible,
      scope: "organization",
      answers: empty(),
      refusals: { 404: "notFound" },
      handle: async ({ actor, organization, params }) => {
        if (!(await isPublicMember(deps, actor, organization, params.username))) throw notFound();
      },
    }),
    defineRoute({
      id: "orgPublicizeMember",
      method: "PUT",
      path: "/orgs/{org}/public_members/{username}",
      tag: "organization",
      summary: "Make a membership public",
      access: organization.member,
      scope: "organization",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ actor, organization, params }) => showMembership(deps, actor, organization, params.username, "public"),
    }),
    defineRoute({
      id: "orgConcealMember",
      method: "DELETE",
      path: "/orgs/{org}/public_members/{username}",
      tag: "organization",
      summary: "Hide a membership from outsiders",
      access: organization.member,
      scope: "organization",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ actor, organization, params }) => showMembership(deps, actor, organization, params.username, "hidden"),
    }),
  ];
}

function teamMemberRoutes(deps: MemberApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "orgListTeamMembers",
      method: "GET",
      path: "/teams/{id}/members",
      tag: "organization",
      summary: "List the members of a team",
      access: team.member,
      scope: "organization",
      answers: list(User, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, team, page }) => {
        const members = await listTeamMembers(deps, team, page);
        return { total: members.total, items: members.items.map((user) => presentUser(user, actor, urls)) };
      },
    }),
    defineRoute({
      id: "orgListTeamMember",
      method: "GET",
      path: "/teams/{id}/members/{username}",
      tag: "organization",
      summary: "Get a member of a team",
      access: team.member,
      scope: "organization",
      answers: json(200, User),
      refusals: { 404: "notFound" },
      handle: async ({ actor, team, params }) => presentUser(await getTeamMember(deps, actor, team, params.username), actor, urls),
    }),
    defineRoute({
      id: "orgAddTeamMember",
      method: "PUT",
      path: "/teams/{id}/members/{username}",
      tag: "organization",
      summary: "Add a user to a team",
      access: team.owner,
      scope: "organization",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ actor, team, params }) => addTeamMember(deps, actor, team, params.username),
    }),
    defineRoute({
      id: "orgRemoveTeamMember",
      method: "DELETE",
      path: "/teams/{id}/members/{username}",
      tag: "organization",
      summary: "Remove a user from a team, or leave it; leaving the last team ends the membership",
      access: team.member,
      scope: "organization",
      answers: empty(),
      refusals: { 404: "notFound", 422: "validationError" },
      handle: ({ actor, team, params }) => removeTeamMember(deps, actor, team, params.username),
    }),
  ];
}
