import type { UserActor } from "../../../access/actor.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import { isForgeError } from "../../../core/errors.ts";
import type { FormProblem } from "../../../core/form-problem.ts";
import { lengths } from "../../../core/lengths.ts";
import { repository } from "../../../http/access.ts";
import { type RawReply, raw } from "../../../http/answers.ts";
import { seeOther, submit } from "../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../http/page-reader.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import { repositoryPath, sourcePath, withQuery } from "../../../ui/addresses.ts";
import { Pager } from "../../../ui/blocks.tsx";
import { renderRepositoryPage } from "../../../ui/repository-page.tsx";
import { textsFor } from "../../../ui/texts/texts.ts";
import { bool, inPlace, text } from "../../../wire/schema.ts";
import { repositoryHeader } from "../repos/header.ts";
import { getRepository } from "../repos/service/loaders.ts";
import { listForks } from "../repos/service/search.ts";
import { starAndWatchTexts } from "../repos/texts/texts.ts";
import { RepositoryList } from "../repos/views/repository-list.tsx";
import { MarkTabs, NoMarks } from "../repos/views/stars-and-watches.tsx";
import { type ForkDeps, forkRepository } from "./service/fork.ts";
import { type MergeUpstreamDeps, syncFork } from "./service/merge-upstream.ts";
import { offerForkOwners } from "./service/network.ts";
import { forkTexts } from "./texts/texts.ts";
import { ForkForm, type ForkValues } from "./views/fork-form.tsx";

export interface ForkPageDeps extends ForkDeps, MergeUpstreamDeps {}

const page = { mount: "root", tag: "repository", isUnlisted: true, isPage: true, scope: "repository", answers: raw(["text/html"]) } as const;

/** The pages that list and create forks. */
export const forkPages = (deps: ForkPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "forksPage",
    method: "GET",
    path: "/{owner}/{repo}/forks",
    summary: "Forks of a repository",
    access: repository.reader("repo.code"),
    handle: async (request) => {
      const { actor, repository, page } = request;
      const { items, total } = await listForks(deps, actor, repository.id, page);
      const view = await getRepository(deps, actor, repository.id);
      const reader = pageReader(request);
      const texts = textsFor(starAndWatchTexts, reader.languages);
      const props = { ...reader, repository: repositoryHeader(view), tab: "code", title: texts.titles.forks, heading: texts.titles.forks } as const;
      const list = <RepositoryList repositories={items} now={deps.clock.now()} showsOwners />;
      const content = total === 0 ? <NoMarks repository={repository} of="forks" /> : list;
      return renderRepositoryPage(
        props,
        <MarkTabs repository={repository} of="forks" />,
        content,
        <Pager path={`${repositoryPath(repository)}/forks`} page={page} total={total} />,
      );
    },
  }),
  defineRoute({
    ...page,
    id: "forkForm",
    method: "GET",
    path: "/{owner}/{repo}/fork",
    summary: "The form for a new fork",
    access: repository.signedIn(),
    query: { owner: query.text("The preselected owner") },
    handle: async (request) => {
      const { actor, repository } = request;
      const { description } = await getRepository(deps, actor, repository.id);
      return formPage(deps, request, { owner: request.query.owner ?? "", name: repository.name, description, default_branch_only: false });
    },
  }),
  defineRoute({
    ...page,
    id: "forkHere",
    method: "POST",
    path: "/{owner}/{repo}/fork",
    summary: "Fork a repository",
    access: repository.signedIn(),
    body: ForkFields,
    handle: (request) => {
      const { actor, repository, body } = request;
      const fork = async (): Promise<RawReply> => {
        const organization = body.owner === actor.name ? "" : body.owner;
        const { owner, name } = await forkRepository(deps, actor, repository, {
          name: body.name.trim(),
          organization,
          description: body.description,
          hasDefaultBranchOnly: body.default_branch_only,
        });
        return seeOther(repositoryPath({ ownerName: owner.name, name }));
      };
      const fieldOf = { repository_exists: "name", name_reserved: "name", name_characters: "name" } as const;
      return submit(fork, (problem) => formPage(deps, request, body, problem), { field: "owner", fieldOf, also: ["forbidden", "not_found"] });
    },
  }),
  defineRoute({
    ...page,
    id: "syncFork",
    method: "POST",
    path: "/{owner}/{repo}/sync",
    summary: "Update a branch of a fork from its parent",
    access: repository.writer("repo.code"),
    body: inPlace({ branch: text(lengths.ref) }),
    handle: async ({ actor, repository, body: { branch } }) => {
      const page = branch === repository.defaultBranch ? repositoryPath(repository) : sourcePath(repository, { kind: "branch", rev: branch });
      try {
        return seeOther(withQuery(page, { synced: await syncFork(deps, actor, repository, branch) }));
      } catch (error) {
        const refusal = syncRefusalOf(error);
        if (refusal === undefined) throw error;
        return seeOther(withQuery(page, { synced: refusal }));
      }
    },
  }),
];

/** The code of an error for the page of the branch, which explains it. @returns undefined if the page cannot be shown, or cannot explain it */
function syncRefusalOf(error: unknown): string | undefined {
  if (!isForgeError(error) || error.reason === undefined || error.code === "not_found") return undefined;
  return typeof error.reason === "string" ? error.reason : error.reason.code;
}

const ForkFields = inPlace({
  owner: text(),
  name: text(lengths.repositoryName),
  description: text(lengths.repositoryDescription),
  default_branch_only: bool(),
});

interface FormRequest extends PageRequest {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
}

async function formPage(deps: ForkPageDeps, request: FormRequest, values: ForkValues, problem?: FormProblem): Promise<RawReply> {
  const { actor, repository, session } = request;
  const view = await getRepository(deps, actor, repository.id);
  const { free, present } = await offerForkOwners(deps, actor, repository);
  // A rejected form keeps its owner.
  const owners = problem === undefined || free.includes(values.owner) ? free : [values.owner, ...free];
  const owner = owners.includes(values.owner) ? values.owner : (owners[0] ?? "");
  const reader = pageReader(request);
  const title = textsFor(forkTexts, reader.languages).title;
  return renderRepositoryPage(
    { ...reader, repository: repositoryHeader(view), tab: "code", title, heading: title, isNarrow: "form" },
    <ForkForm
      repository={repository}
      owners={owners}
      present={present}
      values={{ ...values, owner }}
      problem={problem}
      formToken={formTokenOf(requireSession(session))}
    />,
  );
}
