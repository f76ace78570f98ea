import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid, isForgeError, notFound } from "../../../../core/errors.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import type { Page } from "../../../../core/paging.ts";
import { signedIn } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { readOption, seeOther, submit } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { settingsPage } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { repositoryPath } from "../../../../ui/addresses.ts";
import { renderPage } from "../../../../ui/page.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { CreateRepoOption } from "../../../../wire/repository-options.ts";
import { bool, inPlace, text } from "../../../../wire/schema.ts";
import { getSettings } from "../../../accounts/users/service/settings.ts";
import { findOrganization } from "../../../organizations/orgs/service/find.ts";
import type { ListDeps } from "../../../organizations/orgs/service/lists.ts";
import { listGitignores } from "../../../site/license-templates/gitignores.ts";
import { listLabelSets } from "../../../site/license-templates/labels.ts";
import { listLicenses } from "../../../site/license-templates/licenses.ts";
import type { RepositoryView } from "../model.ts";
import type { NewRepository } from "../new-repository.ts";
import { type CreateDeps, createRepository } from "../service/create.ts";
import { createInOrganization } from "../service/create-in-organization.ts";
import { findRepository } from "../service/find.ts";
import { listNewOwners } from "../service/new-owners.ts";
import { listTemplates } from "../service/search.ts";
import { createTexts } from "../texts/texts.ts";
import { type NewRepositoryChoices, NewRepositoryForm, type NewRepositoryValues } from "../views/create.tsx";

export interface NewRepositoryDeps extends CreateDeps, ListDeps {
  readonly db: CreateDeps["db"];
  /** Creates a repository with the files of a template. Provided by the composition root, because templates are a later feature. */
  readonly generateFromTemplate: (
    actor: UserActor,
    template: RepositorySubject,
    input: Pick<NewRepository, "name" | "description" | "isPrivate" | "defaultBranch"> & { readonly owner: string },
  ) => Promise<RepositoryView>;
}

const page = { ...settingsPage, tag: "repository", access: signedIn, scope: "repository", refusesPublicOnly: true } as const;

/** An unchecked checkbox is false. */
const NewRepositoryFields = inPlace({
  owner: text(),
  name: text(lengths.repositoryName),
  description: text(lengths.repositoryDescription),
  private: bool(),
  auto_init: bool(),
  gitignores: text(),
  license: text(),
  labels: text(),
  default_branch: text(100),
  template: text(),
});

/** Maximum number of organizations offered. */

/** The page for creating a repository. */
export const newRepositoryPages = (deps: NewRepositoryDeps): Route[] => [
  defineRoute({
    ...page,
    id: "newRepositoryPage",
    method: "GET",
    path: "/repo/create",
    summary: "The form for a new repository",
    query: { owner: query.text("The preselected owner"), template: query.text("The preselected template, as `owner/name`") },
    handle: async (request) => {
      const owner = request.query.owner ?? request.actor.name;
      const { newRepositoriesPrivate } = await getSettings(deps, request.actor);
      return formPage(deps, request, {
        owner,
        name: "",
        description: "",
        private: newRepositoriesPrivate,
        auto_init: false,
        gitignores: "",
        license: "",
        labels: "",
        default_branch: "",
        template: request.query.template ?? "",
      });
    },
  }),
  defineRoute({
    ...page,
    id: "makeRepository",
    method: "POST",
    path: "/repo/create",
    summary: "Make a repository",
    body: NewRepositoryFields,
    handle: (request) => {
      const make = async (): Promise<RawReply> => {
        const { owner, name } = await makeRepository(deps, request.actor, request.body);
        return seeOther(repositoryPath({ ownerName: owner.name, name }));
      };
      const fieldOf = { repository_exists: "name", name_reserved: "name", invalid_ref_name: "default_branch" } as const;
      return submit(make, (problem) => formPage(deps, request, request.body, problem), { field: "owner", fieldOf, also: ["forbidden", "not_found"] });
    },
  }),
];

async function makeRepository(deps: NewRepositoryDeps, actor: UserActor, { owner, template, ...typed }: NewRepositoryValues): Promise<RepositoryView> {
  if (template !== "") return generate(deps, actor, { ...typed, template, owner: owner === "" ? actor.name : owner });
  const input = readInput(typed);
  if (owner === "" || owner === actor.name) return createRepository(deps, actor, { id: actor.id, name: actor.name, kind: "user" }, input);
  const found = await findOrganization(deps, owner, actor);
  if (!("subject" in found)) throw notFound();
  return createInOrganization(deps, actor, found.subject, input);
}

/** Creates a repository from a template that the caller can read. */
async function generate(deps: NewRepositoryDeps, actor: UserActor, { owner, template, ...typed }: NewRepositoryValues): Promise<RepositoryView> {
  const [ownerName = "", templateName = ""] = template.split("/");
  const found = await findRepository(deps, ownerName, templateName, actor).catch((error: unknown) => {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  });
  if (found === undefined || !("subject" in found)) throw invalid("template not found", { reason: "template_not_found", field: "template" });
  const { name, description, defaultBranch, isPrivate } = readInput(typed);
  return deps.generateFromTemplate(actor, found.subject, { owner, name, description, isPrivate, defaultBranch });
}

/** Initial files require a first commit, with or without a readme. */
function readInput(typed: Omit<NewRepositoryValues, "owner" | "template">): NewRepository {
  const { name, description, gitignores, license, issue_labels, default_branch } = readOption(CreateRepoOption, {
    ...typed,
    name: typed.name.trim(),
    license: typed.license.trim(),
    issue_labels: typed.labels,
    default_branch: typed.default_branch.trim(),
  });
  return {
    name,
    description,
    isPrivate: typed.private,
    isTemplate: false,
    hasFirstCommit: typed.auto_init || gitignores !== "" || license !== "",
    readme: "",
    gitignores,
    license,
    labels: issue_labels,
    defaultBranch: default_branch,
    trustModel: "",
    objectFormat: "",
  };
}

/** Maximum number of templates offered. */
const offeredTemplates: Page = { page: 1, limit: 100, offset: 0 };

async function offerChoices(deps: NewRepositoryDeps, actor: UserActor): Promise<NewRepositoryChoices> {
  const templates = await listTemplates(deps, actor, offeredTemplates);
  return {
    gitignores: await listGitignores(),
    licenses: (await listLicenses()).map(({ id, name }) => [id, name] as const),
    labelSets: listLabelSets(),
    templates: templates.items.map(({ owner, name }) => `${owner.name}/${name}`),
    defaultBranch: deps.config.repositories.default_branch,
  };
}

interface FormRequest extends PageRequest {
  readonly actor: UserActor;
}

async function formPage(deps: NewRepositoryDeps, request: FormRequest, values: NewRepositoryValues, problem?: FormProblem): Promise<RawReply> {
  const { actor, session } = request;
  const reader = pageReader(request);
  const owners = (await listNewOwners(deps, actor)).owners.map(({ name }) => name);
  const props = { owners, choices: await offerChoices(deps, actor), values, problem, formToken: formTokenOf(requireSession(session)) };
  return renderPage({ ...reader, title: textsFor(createTexts, reader.languages).title, isNarrow: "form" }, <NewRepositoryForm {...props} />);
}
