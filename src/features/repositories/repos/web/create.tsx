import type { UserActor } from "../../../../access/actor.ts";
import { notFound } from "../../../../core/errors.ts";
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
import { findOrganization } from "../../../organizations/orgs/service/find.ts";
import { type ListDeps, listOrganizationsOf } from "../../../organizations/orgs/service/lists.ts";
import type { RepositoryView } from "../model.ts";
import type { NewRepository } from "../new-repository.ts";
import { type CreateDeps, createRepository } from "../service/create.ts";
import { createInOrganization } from "../service/create-in-organization.ts";
import { createTexts } from "../texts/texts.ts";
import { NewRepositoryForm, type NewRepositoryValues } from "../views/create.tsx";

export interface NewRepositoryDeps extends CreateDeps, ListDeps {
  readonly db: CreateDeps["db"];
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
});

/** Maximum number of organizations offered. */
const offeredOrganizations: Page = { page: 1, limit: 100, offset: 0 };

/** The page for creating a repository. */
export const newRepositoryPages = (deps: NewRepositoryDeps): Route[] => [
  defineRoute({
    ...page,
    id: "newRepositoryPage",
    method: "GET",
    path: "/repo/create",
    summary: "The form for a new repository",
    query: { owner: query.text("The preselected owner") },
    handle: (request) => {
      const owner = request.query.owner ?? request.actor.name;
      return formPage(deps, request, { owner, name: "", description: "", private: false, auto_init: false, gitignores: "", license: "" });
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
      const fieldOf = { repository_exists: "name", name_reserved: "name" } as const;
      return submit(make, (problem) => formPage(deps, request, request.body, problem), { field: "owner", fieldOf, also: ["forbidden", "not_found"] });
    },
  }),
];

async function makeRepository(deps: NewRepositoryDeps, actor: UserActor, { owner, ...typed }: NewRepositoryValues): Promise<RepositoryView> {
  const input = readInput(typed);
  if (owner === "" || owner === actor.name) return createRepository(deps, actor, { id: actor.id, name: actor.name, kind: "user" }, input);
  const found = await findOrganization(deps, owner, actor);
  if (!("subject" in found)) throw notFound();
  return createInOrganization(deps, actor, found.subject, input);
}

/** Initial files require a first commit, with or without a readme. */
function readInput(typed: Omit<NewRepositoryValues, "owner">): NewRepository {
  const { name, description, gitignores, license } = readOption(CreateRepoOption, { ...typed, name: typed.name.trim(), license: typed.license.trim() });
  return {
    name,
    description,
    isPrivate: typed.private,
    isTemplate: false,
    hasFirstCommit: typed.auto_init || gitignores !== "" || license !== "",
    readme: "",
    gitignores,
    license,
    labels: "",
    defaultBranch: "",
    trustModel: "",
    objectFormat: "",
  };
}

interface FormRequest extends PageRequest {
  readonly actor: UserActor;
}

async function formPage(deps: NewRepositoryDeps, request: FormRequest, values: NewRepositoryValues, problem?: FormProblem): Promise<RawReply> {
  const { actor, session } = request;
  const reader = pageReader(request);
  const organizations = await listOrganizationsOf(deps, actor, actor.id, offeredOrganizations);
  const owners = [actor.name, ...organizations.items.map(({ name }) => name)];
  const props = { owners, values, problem, formToken: formTokenOf(requireSession(session)) };
  return renderPage({ ...reader, title: textsFor(createTexts, reader.languages).title, isNarrow: true }, <NewRepositoryForm {...props} />);
}
