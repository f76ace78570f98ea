import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Confirmation } from "../../../../core/confirmations.ts";
import { invalid } from "../../../../core/errors.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import { foldName } from "../../../../core/names.ts";
import type { Db } from "../../../../db/db.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { savedAt, submit } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { repositorySettingsPage, type SettingsRequest } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { settingsPath } from "../../../../ui/addresses.ts";
import { renderRepositorySettings } from "../../../../ui/settings.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../../wire/schema.ts";
import { findAccountView } from "../../../accounts/users/service/accounts.ts";
import { repositoryHeader } from "../../../repositories/repos/header.ts";
import { listCollaborations, putCollaborator, removeCollaborator } from "../../../repositories/repos/service/collaborators.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";
import type { TeamView } from "../model.ts";
import { addTeamOfRepository, listTeamsOfRepository, removeTeamOfRepository } from "../service/repositories.ts";
import { teamTexts } from "../texts/texts.ts";
import { CollaborationView, type LetIn } from "../views/collaboration.tsx";

interface CollaborationDeps {
  readonly db: Db;
}

const PersonForm = inPlace({ name: text(), mode: text() });
const TeamForm = inPlace({ name: text() });
const NoFields = inPlace({});

const page = repositorySettingsPage;
const path = "/{owner}/{repo}/settings/collaboration";

/** Collaborators of a repository, and teams of its organization. */
export const collaborationPages = (deps: CollaborationDeps): Route[] => [
  defineRoute({
    ...page,
    id: "collaborationPage",
    method: "GET",
    path,
    summary: "The collaborators of a repository",
    handle: (request) => show(deps, request),
  }),
  defineRoute({
    ...page,
    id: "letCollaboratorIn",
    method: "POST",
    path,
    summary: "Add a collaborator or change their permission",
    body: PersonForm,
    handle: (request) => {
      const { actor, repository, body } = request;
      const put = async (): Promise<RawReply> => {
        const name = body.name.trim();
        if (foldName(name) === foldName(repository.ownerName)) throw invalid(`${name} owns the repository`, { reason: "collaborator_is_owner" });
        // The API accepts organizations without effect; the page shows an error.
        if ((await findAccountView(deps, name))?.kind === "organization")
          throw invalid(`${name} is an organization`, { reason: "collaborator_is_organization" });
        await putCollaborator(deps, actor, repository, name, body.mode);
        return back(repository);
      };
      return submit(put, (problem) => show(deps, request, { form: "person", values: body, problem }), { field: "name", also: ["forbidden"] });
    },
  }),
  defineRoute({
    ...page,
    id: "sendCollaboratorAway",
    method: "POST",
    path: `${path}/{collaborator}/remove`,
    summary: "End a collaboration",
    body: NoFields,
    handle: async ({ actor, repository, params }) => {
      await removeCollaborator(deps, actor, repository, params.collaborator);
      return back(repository, "removed");
    },
  }),
  defineRoute({
    ...page,
    id: "giveToTeam",
    method: "POST",
    path: `${path}/teams`,
    summary: "Add a repository to a team of its organization",
    body: TeamForm,
    handle: (request) => {
      const { actor, repository, body } = request;
      const add = async (): Promise<RawReply> => {
        await addTeamOfRepository(deps, actor, repository, body.name.trim());
        return back(repository);
      };
      const again = (problem: FormProblem) => show(deps, request, { form: "team", values: { ...body, mode: "" }, problem });
      return submit(add, again, { field: "name", also: ["forbidden", "not_found"] });
    },
  }),
  defineRoute({
    ...page,
    id: "takeFromTeam",
    method: "POST",
    path: `${path}/teams/{team}/remove`,
    summary: "Remove a repository from a team",
    body: NoFields,
    handle: async ({ actor, repository, params }) => {
      await removeTeamOfRepository(deps, actor, repository, params.team);
      return back(repository, "removed");
    },
  }),
];

const back = (repository: RepositorySubject, confirmation?: Confirmation): RawReply => savedAt(settingsPath(repository, "/collaboration"), confirmation);

type RefusedForm = { readonly form: "person" | "team"; readonly values: LetIn; readonly problem: FormProblem };

async function show(deps: CollaborationDeps, request: SettingsRequest, refused?: RefusedForm): Promise<RawReply> {
  const { actor, repository, page, session } = request;
  const { items, total } = await listCollaborations(deps, repository, page);
  const teams = repository.ownerKind === "organization" ? await listTeamsOfRepository(deps, actor, repository) : undefined;
  const view = await getRepository(deps, actor, repository.id);
  const reader = pageReader(request);
  const modes = textsFor(teamTexts, reader.languages).collaboration.modes;
  const modeOf = ({ mode, units }: TeamView): string => modes[mode === "none" ? (units.get("repo.code") ?? "none") : mode];
  const props = {
    repository,
    collaborators: items.map(({ user, mode }) => ({ name: user.name, fullName: user.fullName, email: user.email, avatar: user.avatar, mode })),
    total,
    page,
    teams: teams?.map((team) => ({ name: team.name, mode: modeOf(team), hasAll: team.includesAllRepositories || team.mode === "owner" })),
    refused,
    formToken: formTokenOf(requireSession(session)),
  };
  return renderRepositorySettings({ ...reader, repository: repositoryHeader(view), section: "collaboration" }, <CollaborationView {...props} />);
}
