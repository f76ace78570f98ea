import type { Clock } from "../../../core/clock.ts";
import { repository } from "../../../http/access.ts";
import { raw } from "../../../http/answers.ts";
import { seeOther } from "../../../http/form-submit.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { repositoryPath } from "../../../ui/addresses.ts";
import { Pager } from "../../../ui/blocks.tsx";
import { renderRepositoryPage } from "../../../ui/repository-page.tsx";
import { textsFor } from "../../../ui/texts/texts.ts";
import { inPlace } from "../../../wire/schema.ts";
import { repositoryHeader } from "../repos/header.ts";
import { getRepository } from "../repos/service/loaders.ts";
import { listForks } from "../repos/service/search.ts";
import { starAndWatchTexts } from "../repos/texts/texts.ts";
import { RepositoryList } from "../repos/views/repository-list.tsx";
import { MarkTabs, NoMarks } from "../repos/views/stars-and-watches.tsx";
import { type ForkDeps, forkRepository } from "./service/fork.ts";

export interface ForkPageDeps extends ForkDeps {
  readonly clock: Clock;
}

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
    id: "forkHere",
    method: "POST",
    path: "/{owner}/{repo}/fork",
    summary: "Fork a repository to the caller's own account",
    access: repository.signedIn(),
    body: inPlace({}),
    handle: async ({ actor, repository }) => {
      const { owner, name } = await forkRepository(deps, actor, repository, { name: "", organization: "" });
      return seeOther(repositoryPath({ ownerName: owner.name, name }));
    },
  }),
];
