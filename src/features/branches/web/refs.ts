import { h } from "preact";
import type { Clock } from "../../../core/clock.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { readingPage } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { renderRepositoryPage } from "../../../ui/repository-page.ts";
import { textsFor } from "../../../ui/texts/texts.ts";
import { repositoryHeader } from "../../repos/header.ts";
import { getRepository } from "../../repos/service/views.ts";
import type { BranchDeps } from "../service/deps.ts";
import { listBranches } from "../service/read.ts";
import { listTags } from "../service/tags.ts";
import { BranchesView, TagsView } from "../views/refs.ts";

export interface BranchPageDeps extends BranchDeps {
  readonly clock: Clock;
}

const page = readingPage("repo.code");

/** Branches and tags, as people look at them. */
export const branchPages = (deps: BranchPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "branchesPage",
    path: "/{owner}/{repo}/branches",
    summary: "Branches, those with the newest commits first",
    handle: async (request) => {
      const { actor, repository, page } = request;
      const { items, total } = await listBranches(deps, actor, repository, page);
      const view = await getRepository(deps, actor, repository.id);
      const reader = pageReader(request);
      const title = textsFor(reader.languages).repository.branches;
      const facts = { repository, branches: items, total, page, now: deps.clock.now() };
      return renderRepositoryPage({ ...reader, repository: repositoryHeader(view), tab: "branches", title, heading: title }, h(BranchesView, facts));
    },
  }),
  defineRoute({
    ...page,
    id: "tagsPage",
    path: "/{owner}/{repo}/tags",
    summary: "Tags, the newest first",
    handle: async (request) => {
      const { actor, repository, page } = request;
      const { items, total } = await listTags(deps, repository, page);
      const view = await getRepository(deps, actor, repository.id);
      const reader = pageReader(request);
      const title = textsFor(reader.languages).repository.tags;
      const facts = { repository, tags: items, total, page, now: deps.clock.now() };
      return renderRepositoryPage({ ...reader, repository: repositoryHeader(view), tab: "tags", title, heading: title }, h(TagsView, facts));
    },
  }),
];
