import { type Actor, isSelf, isUser, type UserActor } from "../../../../access/actor.ts";
import type { OrganizationSubject } from "../../../../access/subjects.ts";
import type { Confirmation } from "../../../../core/confirmations.ts";
import { readId } from "../../../../core/ids.ts";
import { foldName } from "../../../../core/names.ts";
import type { Page } from "../../../../core/paging.ts";
import type { Explained } from "../../../../core/reasons.ts";
import { avatarPath } from "../../../../core/urls.ts";
import { organization } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { savedAt, submit } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { type Refused, settingsPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { organizationPath } from "../../../../ui/addresses.ts";
import { renderOrganizationPage } from "../../../../ui/organization-page.tsx";
import { inPlace, text } from "../../../../wire/schema.ts";
import {
  canSendInvitations,
  createInvitationThrottle,
  type InvitationDeps,
  inviteByEmail,
  isAddress,
  listOpenInvitations,
  resendInvitation,
  revokeInvitation,
} from "../invitations/service.ts";
import { sendingOf } from "../invitations/web.tsx";
import { findTeamByName } from "../service/find.ts";
import { addTeamMember, listMemberships, removeMember, showMembership } from "../service/members.ts";
import { listTeamNames } from "../service/teams.ts";
import { MembersView, type NewMember } from "../views/members.tsx";

type MemberPageDeps = InvitationDeps;

const MemberForm = inPlace({ user: text(), team: text() });
const NoFields = inPlace({});
const IdForm = inPlace({ id: text() });

const page = { ...settingsPage, tag: "organization", scope: "organization" } as const;
const path = "/org/{org}/members";

/** Member pages: everyone sees public members, members see all. */
export function memberPages(deps: MemberPageDeps): Route[] {
  const inviting = createInvitationThrottle(deps);
  return [
    defineRoute({
      ...page,
      access: organization.visible,
      id: "membersPage",
      method: "GET",
      path,
      summary: "The members of an organization",
      handle: (request) => show(deps, request),
    }),
    defineRoute({
      ...page,
      access: organization.owner,
      id: "addMemberByForm",
      method: "POST",
      path,
      summary: "Add a user to a team, which makes them a member, or invite an email address to it",
      body: MemberForm,
      handle: (request) => {
        const { actor, organization, body } = request;
        const add = async (): Promise<RawReply> => {
          const { subject } = await findTeamByName(deps, organization, body.team, actor);
          const typed = body.user.trim();
          if (isAddress(typed)) {
            await inviteByEmail({ ...deps, inviting }, actor, subject, { email: typed, ...sendingOf(request) });
            return back(organization, "sent");
          }
          await addTeamMember(deps, actor, subject, typed);
          return back(organization);
        };
        return submit(add, (problem) => show(deps, request, { values: body, problem }), { field: "user", also: ["forbidden", "not_found"] });
      },
    }),
    visibilityRoute(deps, "show"),
    visibilityRoute(deps, "hide"),
    defineRoute({
      ...page,
      access: organization.signedIn,
      id: "removeMemberByForm",
      method: "POST",
      path: `${path}/{member}/remove`,
      summary: "End a membership, one's own or as an owner",
      body: NoFields,
      handle: (request) => {
        const { actor, organization, params } = request;
        const remove = async (): Promise<RawReply> => {
          await removeMember(deps, actor, organization, params.member);
          return back(organization, foldName(params.member) === foldName(actor.name) ? "left" : "removed");
        };
        return submit(remove, (problem) => show(deps, request, undefined, problem));
      },
    }),
    defineRoute({
      ...page,
      access: organization.owner,
      id: "resendInvitation",
      method: "POST",
      path: "/org/{org}/invitations/resend",
      summary: "Send an invitation again, with a new link",
      body: IdForm,
      handle: (request) => {
        const { actor, organization, body } = request;
        const resend = async (): Promise<RawReply> => {
          await resendInvitation({ ...deps, inviting }, actor, organization, { id: readId(body.id), ...sendingOf(request) });
          return back(organization, "sent");
        };
        return submit(resend, (problem) => show(deps, request, undefined, problem), { also: ["forbidden"] });
      },
    }),
    defineRoute({
      ...page,
      access: organization.owner,
      id: "revokeInvitation",
      method: "POST",
      path: "/org/{org}/invitations/revoke",
      summary: "Revoke an invitation",
      body: IdForm,
      handle: async ({ actor, organization, body }) => {
        await revokeInvitation(deps, actor, organization, readId(body.id));
        return back(organization, "removed");
      },
    }),
  ];
}

const visibilityRoute = (deps: MemberPageDeps, action: "show" | "hide"): Route =>
  defineRoute({
    ...page,
    access: organization.signedIn,
    id: `${action}MembershipByForm`,
    method: "POST",
    path: `${path}/{member}/${action}`,
    summary: action === "show" ? "Make a membership public" : "Hide a membership from outsiders",
    body: NoFields,
    handle: async ({ actor, organization, params }) => {
      await showMembership(deps, actor, organization, params.member, action === "show" ? "public" : "hidden");
      return back(organization);
    },
  });

const back = ({ name }: OrganizationSubject, confirmation?: Confirmation): RawReply => savedAt(organizationPath(name, "/members"), confirmation);

interface MembersRequest extends PageRequest {
  readonly actor: Actor | UserActor;
  readonly organization: OrganizationSubject;
  readonly page: Page;
}

async function show(deps: MemberPageDeps, request: MembersRequest, refused?: Refused<NewMember>, refusal?: Explained): Promise<RawReply> {
  const { actor, organization, page } = request;
  const reader = pageReader(request);
  const { items, total } = await listMemberships(deps, actor, organization, page);
  const canAdd = organization.isOwner && reader.viewer !== undefined;
  const props = {
    organization,
    path: organizationPath(organization.name, "/members"),
    members: items.map(({ user, isPublic, isOwner, hasTwoFactor }) => ({
      name: user.name,
      fullName: user.fullName,
      avatarPath: avatarPath(user),
      isPublic,
      isOwner,
      hasTwoFactor,
      isViewer: isUser(actor) && isSelf(actor, user.id),
    })),
    total,
    page,
    teams: canAdd ? await listTeamNames(deps, organization) : undefined,
    invitations: canAdd ? await listOpenInvitations(deps, organization) : [],
    canInvite: canSendInvitations(deps),
    refused,
    refusal,
    formToken: reader.viewer?.formToken ?? "",
  };
  return renderOrganizationPage({ ...reader, organization, tab: "members" }, <MembersView {...props} />);
}
