import type { Clock } from "../../../../core/clock.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { readingPage } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { NoCommits } from "../../../../ui/blocks.tsx";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { repositoryHeader } from "../../repos/header.ts";
import { getRepository } from "../../repos/service/loaders.ts";
import { createContributionsReader, maxCountedCommits, viewContributors } from "../service/contributors.ts";
import { type GraphReader, viewGraph } from "../service/graph.ts";
import type { CommitDeps } from "../service/loaders.ts";
import { historyTexts } from "../texts/texts.ts";
import { ContributorsView } from "../views/contributors.tsx";
import { GraphView } from "../views/graph.tsx";

const page = readingPage("repo.code");
const plain = { stats: false, files: false, verification: false } as const;

export interface GraphPageDeps extends CommitDeps {
  readonly clock: Clock;
  readonly readGraph: GraphReader;
}

/** The pages of the commit graph and of the contributors. */
export function graphPages(context: GraphPageDeps): Route[] {
  const deps = { ...context, readContributions: createContributionsReader(context) };
  return [
    defineRoute({
      ...page,
      id: "graphPage",
      isExpensive: true,
      path: "/{owner}/{repo}/graph",
      summary: "The commit graph of all branches, or of one",
      query: { branch: query.text("The branch to show") },
      handle: async (request) => {
        const { actor, repository, signal } = request;
        const branch = request.query.branch ?? "";
        const graph = await viewGraph(deps, { actor, repository, detail: plain, signal }, branch, request.page);
        const view = await getRepository(deps, actor, repository.id);
        const reader = pageReader(request);
        const title = textsFor(historyTexts, reader.languages).graph;
        const props = { ...graph, repository, branch, page: request.page, now: deps.clock.now() };
        return renderRepositoryPage({ ...reader, repository: repositoryHeader(view), tab: "code", title, heading: title }, <GraphView {...props} />);
      },
    }),
    defineRoute({
      ...page,
      id: "contributorsPage",
      isExpensive: true,
      path: "/{owner}/{repo}/graphs/contributors",
      summary: "Contributors of the default branch, with charts",
      handle: async (request) => {
        const { actor, repository } = request;
        const contributions = repository.isEmpty ? undefined : await viewContributors(deps, { actor, repository });
        const view = await getRepository(deps, actor, repository.id);
        const reader = pageReader(request);
        const texts = textsFor(historyTexts, reader.languages);
        const content =
          contributions === undefined ? (
            <NoCommits repository={repository} icon="people" title={texts.none} />
          ) : (
            <ContributorsView {...contributions} branch={repository.defaultBranch} maxCommits={maxCountedCommits} />
          );
        const title = texts.contributors;
        return renderRepositoryPage({ ...reader, repository: repositoryHeader(view), tab: "code", title, heading: title }, content);
      },
    }),
  ];
}
