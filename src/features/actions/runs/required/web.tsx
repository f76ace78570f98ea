import type { UserActor } from "../../../../access/actor.ts";
import type { OrganizationSubject } from "../../../../access/subjects.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import { readId } from "../../../../core/ids.ts";
import { organization } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { savedAt, submit } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { settingsPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { organizationPath } from "../../../../ui/addresses.ts";
import { renderOrganizationSettings } from "../../../../ui/settings.tsx";
import { bool, inPlace, text } from "../../../../wire/schema.ts";
import type { RunsDeps } from "../service/deps.ts";
import { endRequirement, requiredWorkflowsOf, requireWorkflow } from "../service/required.ts";
import { type RequiredFields, RequiredView } from "./views.tsx";

const RequireForm = inPlace({ repository: text(), path: text(), branch: text(), on_pull: bool(), on_push: bool(), repositories: text() });
const EndForm = inPlace({ id: text() });

const page = { ...settingsPage, tag: "organization", scope: "organization", access: organization.owner } as const;
const path = "/org/{org}/settings/required_workflows";

const nothingTyped: RequiredFields = { repository: "", path: "", branch: "", on_pull: true, on_push: false, repositories: "" };

const addressOf = ({ name }: OrganizationSubject): string => organizationPath(name, "/settings/required_workflows");

/** The workflows that owners of an organization require in its repositories. */
export const requiredPages = (deps: RunsDeps): Route[] => [
  defineRoute({
    ...page,
    id: "requiredWorkflowsPage",
    method: "GET",
    path,
    summary: "The workflows that an organization requires in its repositories",
    handle: (request) => show(deps, request),
  }),
  defineRoute({
    ...page,
    id: "requireWorkflow",
    method: "POST",
    path,
    summary: "Require a workflow in repositories of an organization",
    body: RequireForm,
    handle: (request) => {
      const { actor, body } = request;
      const add = async (): Promise<RawReply> => {
        const covered = body.repositories.split(/[\s,]+/).filter((name) => name !== "");
        const [repository, file, branch] = [body.repository.trim(), body.path.trim(), body.branch.trim()];
        await requireWorkflow(deps, actor, request.organization, { repository, path: file, branch, onPull: body.on_pull, onPush: body.on_push, covered });
        return savedAt(addressOf(request.organization));
      };
      return submit(add, (problem) => show(deps, request, body, problem));
    },
  }),
  defineRoute({
    ...page,
    id: "endRequiredWorkflow",
    method: "POST",
    path: `${path}/delete`,
    summary: "End the requirement of a workflow",
    body: EndForm,
    handle: async ({ actor, body, organization: of }) => {
      await endRequirement(deps, actor, of, readId(body.id));
      return savedAt(addressOf(of));
    },
  }),
];

type OwnerRequest = PageRequest & { readonly actor: UserActor; readonly organization: OrganizationSubject };

async function show(deps: RunsDeps, request: OwnerRequest, values = nothingTyped, problem?: FormProblem): Promise<RawReply> {
  const required = await requiredWorkflowsOf(deps, request.organization.id);
  const formToken = formTokenOf(requireSession(request.session));
  return renderOrganizationSettings(
    { ...pageReader(request), organization: request.organization, section: "required" },
    <RequiredView action={addressOf(request.organization)} {...{ formToken, required, values, problem }} />,
  );
}
