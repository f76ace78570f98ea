import type { Static } from "typebox";
import { isSelf, type UserActor } from "../../../../access/actor.ts";
import { type Unit, units } from "../../../../access/repository.ts";
import type { OrganizationSubject } from "../../../../access/subjects.ts";
import type { Page } from "../../../../core/paging.ts";
import type { Explained } from "../../../../core/reasons.ts";
import { avatarPath } from "../../../../core/urls.ts";
import { organization } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { Confirmation, type RefusedName, submitConfirmed } from "../../../../http/confirmation.ts";
import { readOption, savedAt, seeOther, submit } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { type Refused, settingsPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { organizationPath } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { renderOrganizationPage } from "../../../../ui/organization-page.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { bool, inPlace, type Schema, text } from "../../../../wire/schema.ts";
import { CreateTeamOption, EditTeamOption } from "../../../../wire/team.ts";
import type { Throttle } from "../../../accounts/users/service/throttle.ts";
import { canSendInvitations, createInvitationThrottle, type InvitationDeps, inviteByEmail, isAddress, listOpenInvitations } from "../invitations/service.ts";
import { sendingOf } from "../invitations/web.tsx";
import type { TeamView } from "../model.ts";
import { findTeamByName } from "../service/find.ts";
import { addTeamMember, listTeamMembers, removeTeamMember } from "../service/members.ts";
import { giveRepository, listRepositoriesOfTeam, type TeamRepositoryPath, takeRepository } from "../service/repositories.ts";
import { createTeam, deleteTeam, editTeam, listCountedTeams } from "../service/teams.ts";
import { teamTexts } from "../texts/texts.ts";
import { TeamEnd, TeamForm, type TeamValues } from "../views/team-form.tsx";
import { TeamFrame, TeamMembersView, TeamRepositoriesView, TeamsView, type TeamTab, teamPath } from "../views/teams.tsx";

type TeamPageDeps = InvitationDeps;

const TeamFields = inPlace({
  name: text(),
  description: text(),
  permission: text(),
  includes_all_repositories: bool(),
  can_create_org_repo: bool(),
  ...(Object.fromEntries(units.map((unit) => [`unit_${unit}`, text()])) as Record<`unit_${Unit}`, Schema<string>>),
});
const PersonForm = inPlace({ user: text() });
const RepositoryForm = inPlace({ repository: text() });
const NoFields = inPlace({});

const page = { ...settingsPage, tag: "organization", scope: "organization" } as const;
const read = { ...page, method: "GET", access: organization.member } as const;
const change = { ...page, method: "POST", access: organization.owner } as const;
const path = "/org/{org}/teams";
const one = `${path}/{team}` as const;

/** Team pages: members see the teams, owners change them. */
export const teamPages = (deps: TeamPageDeps): Route[] => [
  defineRoute({
    ...read,
    id: "teamsPage",
    path,
    summary: "The teams of an organization",
    handle: async (request) => {
      const { organization, page } = request;
      const { items, total } = await listCountedTeams(deps, organization, page);
      const props = { organization, teams: items, total, page };
      return renderOrganizationPage({ ...pageReader(request), organization, tab: "teams" }, <TeamsView {...props} />);
    },
  }),
  defineRoute({
    ...read,
    access: organization.owner,
    id: "newTeamPage",
    path: `${path}/new`,
    summary: "The form of a team",
    handle: (request) => newPage(request, { values: nothingTyped, problem: undefined }),
  }),
  defineRoute({
    ...change,
    id: "createTeamByForm",
    path: `${path}/new`,
    summary: "Make a team",
    body: TeamFields,
    handle: (request) => {
      const { actor, organization, body } = request;
      const make = async (): Promise<RawReply> => {
        const option = readOption(CreateTeamOption, { ...fieldsOf(body), ...rightsOf(body) });
        const { team } = await createTeam(deps, actor, organization, { ...inputOf(body, option), name: option.name });
        return seeOther(teamPath(organization, team.name));
      };
      return submit(make, (problem) => newPage(request, { values: body, problem }), { field: "name" });
    },
  }),
  ...teamMemberPages(deps, createInvitationThrottle(deps)),
  ...teamRepositoryPages(deps),
  defineRoute({
    ...read,
    access: organization.owner,
    id: "teamSettingsPage",
    path: `${one}/edit`,
    summary: "Edit a team and its rights",
    handle: (request) => editPage(deps, request),
  }),
  defineRoute({
    ...change,
    id: "changeTeamByForm",
    path: `${one}/edit`,
    summary: "Change a team",
    body: TeamFields,
    handle: (request) => {
      const { actor, organization, body } = request;
      const save = async (): Promise<RawReply> => {
        const { view, subject } = await found(deps, request);
        const isOwners = view.mode === "owner";
        const option = readOption(EditTeamOption, { ...fieldsOf(body), ...(isOwners ? { name: view.name } : rightsOf(body)) });
        const { name } = await editTeam(deps, actor, subject, isOwners ? { ...unchanged, description: body.description } : inputOf(body, option));
        return savedAt(teamPath(organization, name, "/edit"));
      };
      return submit(save, (problem) => editPage(deps, request, { values: body, problem }), { field: "name" });
    },
  }),
  defineRoute({
    ...change,
    id: "deleteTeamByName",
    path: `${one}/delete`,
    summary: "Delete a team after its name is entered",
    body: Confirmation,
    handle: async (request) => {
      const { actor, organization } = request;
      const { subject } = await found(deps, request);
      const end = async (): Promise<RawReply> => {
        await deleteTeam(deps, actor, subject);
        return savedAt(organizationPath(organization.name, "/teams"), "deleted");
      };
      return submitConfirmed(request, subject.name, end, (refused) => editPage(deps, request, undefined, refused));
    },
  }),
];

const teamMemberPages = (deps: TeamPageDeps, inviting: Throttle): Route[] => [
  defineRoute({ ...read, id: "teamMembersPage", path: one, summary: "The members of a team", handle: (request) => membersPage(deps, request) }),
  defineRoute({
    ...change,
    id: "addTeamMemberByForm",
    path: `${one}/members`,
    summary: "Add a user to a team, or invite an email address to it",
    body: PersonForm,
    handle: (request) => {
      const { actor, organization, params } = request;
      const typed = request.body.user.trim();
      const add = async (): Promise<RawReply> => {
        const { subject } = await found(deps, request);
        if (isAddress(typed)) {
          await inviteByEmail({ ...deps, inviting }, actor, subject, { email: typed, ...sendingOf(request) });
          return savedAt(teamPath(organization, params.team), "sent");
        }
        await addTeamMember(deps, actor, subject, typed);
        return savedAt(teamPath(organization, params.team));
      };
      return submit(add, (problem) => membersPage(deps, request, { typed, problem }), { field: "user", also: ["forbidden", "not_found"] });
    },
  }),
  defineRoute({
    ...change,
    access: organization.member,
    id: "removeTeamMemberByForm",
    path: `${one}/members/{member}/remove`,
    summary: "Remove a user from a team, or leave it",
    body: NoFields,
    handle: (request) => {
      const { actor, organization, params } = request;
      const remove = async (): Promise<RawReply> => {
        await removeTeamMember(deps, actor, (await found(deps, request)).subject, params.member);
        // A user who has left the organization with the team can no longer see its teams.
        return savedAt(organization.isOwner ? teamPath(organization, params.team) : organizationPath(organization.name, "/members"), "removed");
      };
      return submit(remove, (refusal) => membersPage(deps, request, undefined, refusal));
    },
  }),
];

const teamRepositoryPages = (deps: TeamPageDeps): Route[] => [
  defineRoute({
    ...read,
    id: "teamRepositoriesPage",
    path: `${one}/repositories`,
    summary: "The repositories of a team",
    handle: (request) => repositoriesPage(deps, request),
  }),
  defineRoute({
    ...change,
    id: "giveTeamRepositoryByForm",
    path: `${one}/repositories`,
    summary: "Add a repository to a team",
    body: RepositoryForm,
    handle: (request) => {
      const { actor, organization, params } = request;
      const typed = request.body.repository.trim();
      const give = async (): Promise<RawReply> => {
        await giveRepository(deps, actor, (await found(deps, request)).subject, pathOf(organization, typed));
        return savedAt(teamPath(organization, params.team, "/repositories"));
      };
      const message = textsFor(teamTexts, pageReader(request).languages).noSuchRepository;
      return submit(give, ({ field }) => repositoriesPage(deps, request, { typed, problem: { field, message } }), { field: "repository", also: ["not_found"] });
    },
  }),
  defineRoute({
    ...change,
    id: "takeTeamRepositoryByForm",
    path: `${one}/repositories/{name}/remove`,
    summary: "Remove a repository from a team",
    body: NoFields,
    handle: async (request) => {
      const { actor, organization, params } = request;
      await takeRepository(deps, actor, (await found(deps, request)).subject, { owner: organization.name, repo: params.name });
      return savedAt(teamPath(organization, params.team, "/repositories"), "removed");
    },
  }),
];

/** A repository of the organization that a user types alone or as `owner/name`. */
function pathOf({ name: owner }: OrganizationSubject, typed: string): TeamRepositoryPath {
  const [first = "", ...rest] = typed.split("/");
  return rest.length === 0 ? { owner, repo: first } : { owner: first, repo: rest.join("/") };
}

interface OrganizationRequest extends PageRequest {
  readonly actor: UserActor;
  readonly organization: OrganizationSubject;
  readonly page: Page;
}

interface TeamRequest extends OrganizationRequest {
  readonly params: { readonly team: string };
}

const tokenOf = ({ session }: PageRequest): string => formTokenOf(requireSession(session));

const found = (deps: TeamPageDeps, { organization, params, actor }: TeamRequest) => findTeamByName(deps, organization, params.team, actor);

const nothingTyped: TeamValues = {
  name: "",
  description: "",
  permission: "units",
  includes_all_repositories: false,
  can_create_org_repo: false,
  "unit_repo.code": "read",
  "unit_repo.issues": "read",
  "unit_repo.pulls": "read",
  "unit_repo.releases": "read",
  "unit_repo.wiki": "read",
};

const unchanged = { name: "", permission: "", units: null, unitsMap: null, includesAllRepositories: null, canCreateRepositories: null } as const;

type Typed = Static<typeof TeamFields>;

const fieldsOf = ({ name, description }: Typed) => ({ name: name.trim(), description: description.trim() });

/** Rights per unit are ignored for an administrator team. */
const rightsOf = (typed: Typed) =>
  typed.permission === "admin" ? { permission: "admin" } : { units_map: Object.fromEntries(units.map((unit) => [unit, typed[`unit_${unit}`] || "none"])) };

const inputOf = (
  typed: Typed,
  option: { readonly name: string; readonly permission: string; readonly units_map: Readonly<Record<string, string>> | null },
) => ({
  name: option.name,
  description: typed.description.trim(),
  permission: option.permission,
  units: null,
  unitsMap: option.units_map,
  includesAllRepositories: typed.includes_all_repositories,
  canCreateRepositories: typed.can_create_org_repo,
});

function valuesOf(team: TeamView): TeamValues {
  return {
    name: team.name,
    description: team.description,
    permission: team.mode === "none" ? "units" : "admin",
    includes_all_repositories: team.includesAllRepositories,
    can_create_org_repo: team.canCreateRepositories,
    ...Object.fromEntries(units.map((unit) => [`unit_${unit}`, team.units.get(unit) ?? "none"])),
  };
}

async function newPage(
  request: OrganizationRequest,
  filled: { readonly values: TeamValues; readonly problem: Refused<TeamValues>["problem"] | undefined },
): Promise<RawReply> {
  const { organization } = request;
  const reader = pageReader(request);
  const props = { action: organizationPath(organization.name, "/teams/new"), kind: "new", formToken: tokenOf(request), ...filled } as const;
  return renderOrganizationPage(
    { ...reader, organization, tab: "teams", title: textsFor(teamTexts, reader.languages).new, isNarrow: "form" },
    <TeamForm {...props} />,
  );
}

/** A page of a team within its frame. */
function framed(request: OrganizationRequest, team: TeamView, tab: TeamTab, ...content: readonly Html[]): RawReply {
  const { organization } = request;
  return renderOrganizationPage(
    { ...pageReader(request), organization, tab: "teams", title: team.name },
    <TeamFrame organization={organization} team={team} tab={tab}>
      {content}
    </TeamFrame>,
  );
}

async function membersPage(deps: TeamPageDeps, request: TeamRequest, refused?: RefusedName, refusal?: Explained): Promise<RawReply> {
  const { actor, organization, page } = request;
  const { view, subject } = await found(deps, request);
  const { items, total } = await listTeamMembers(deps, subject, page);
  const members = items.map((user) => ({
    name: user.name,
    fullName: user.fullName,
    avatarPath: avatarPath(user),
    isViewer: isSelf(actor, user.id),
  }));
  const open = organization.isOwner ? await listOpenInvitations(deps, organization) : [];
  const invitations = open.filter(({ teamName }) => teamName === view.name);
  const given = { refused, refusal, formToken: tokenOf(request) };
  const props = { organization, team: view, members, total, page, invitations, canInvite: canSendInvitations(deps), ...given };
  return framed(request, view, "members", <TeamMembersView {...props} />);
}

async function repositoriesPage(deps: TeamPageDeps, request: TeamRequest, refused?: RefusedName): Promise<RawReply> {
  const { actor, organization, page } = request;
  const { view, subject } = await found(deps, request);
  const { items, total } = await listRepositoriesOfTeam(deps, actor, subject, page);
  const props = { organization, team: view, repositories: items, total, page, refused, formToken: tokenOf(request) };
  return framed(request, view, "repositories", <TeamRepositoriesView {...props} />);
}

async function editPage(deps: TeamPageDeps, request: TeamRequest, refused?: Refused<TeamValues>, refusedEnd?: RefusedName): Promise<RawReply> {
  const { organization } = request;
  const { view } = await found(deps, request);
  const [formToken, isOwners] = [tokenOf(request), view.mode === "owner"];
  const form = {
    action: teamPath(organization, view.name, "/edit"),
    kind: isOwners ? "owners" : "usual",
    values: valuesOf(view),
    formToken,
    ...refused,
  } as const;
  const end = { action: teamPath(organization, view.name, "/delete"), name: view.name, refused: refusedEnd, formToken };
  const ownForm = (
    <div class="page-form">
      <TeamForm {...form} />
    </div>
  );
  return framed(request, view, "edit", ownForm, !isOwners && <TeamEnd {...end} />);
}
