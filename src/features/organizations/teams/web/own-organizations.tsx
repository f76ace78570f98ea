import type { UserActor } from "../../../../access/actor.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import type { Page } from "../../../../core/paging.ts";
import type { Db } from "../../../../db/db.ts";
import { organization, signedIn } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { savedAt, submit } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { settingsPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { renderAccountSettings } from "../../../../ui/settings.tsx";
import { inPlace } from "../../../../wire/schema.ts";
import { listOrganizationsOf } from "../../orgs/service/lists.ts";
import { removeMember } from "../service/members.ts";
import { OwnOrganizationsView } from "../views/own-organizations.tsx";

interface OwnOrganizationDeps {
  readonly db: Db;
}

const NoFields = inPlace({});
const path = "/user/settings/organization";
const page = { ...settingsPage, tag: "user", refusesPublicOnly: true } as const;

/** Organizations of the caller. */
export const ownOrganizationPages = (deps: OwnOrganizationDeps): Route[] => [
  defineRoute({
    ...page,
    id: "ownOrganizationsPage",
    method: "GET",
    path,
    summary: "The caller's organizations",
    access: signedIn,
    scope: ["user", "organization"],
    handle: (request) => show(deps, request),
  }),
  defineRoute({
    ...page,
    id: "leaveOrganizationByForm",
    method: "POST",
    path: `${path}/{org}/leave`,
    summary: "Leave an organization",
    access: organization.member,
    scope: "organization",
    body: NoFields,
    handle: (request) => {
      const { actor, organization } = request;
      const leave = async (): Promise<RawReply> => {
        await removeMember(deps, actor, organization, actor.name);
        return savedAt(path, "left");
      };
      return submit(leave, (problem) => show(deps, request, problem));
    },
  }),
];

type OwnRequest = PageRequest & { readonly actor: UserActor; readonly page: Page };

async function show(deps: OwnOrganizationDeps, request: OwnRequest, problem?: FormProblem): Promise<RawReply> {
  const { actor, page, session } = request;
  const { items, total } = await listOrganizationsOf(deps, actor, actor.id, page);
  const props = { path, organizations: items, total, page, problem, formToken: formTokenOf(requireSession(session)) };
  return renderAccountSettings({ ...pageReader(request), section: "organizations" }, <OwnOrganizationsView {...props} />);
}
