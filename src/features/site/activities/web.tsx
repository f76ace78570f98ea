import { repository } from "../../../http/access.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { readingPage } from "../../../http/page-route.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { renderRepositoryPage } from "../../../ui/repository-page.tsx";
import { textsFor } from "../../../ui/texts/texts.ts";
import { codeTexts } from "../../repositories/contents/texts/texts.ts";

import { repositoryHeader } from "../../repositories/repos/header.ts";
import { getRepository } from "../../repositories/repos/service/loaders.ts";
import { countRepositoryActivities, type FeedDeps, listRepositoryFeed } from "./service/feeds.ts";
import { type Period, periods, RepositoryActivity } from "./views/repository-activity.tsx";

const dayMs = 86_400_000;

/** The activity page of a repository. */
export const activityPages = (deps: FeedDeps): Route[] => [
  defineRoute({
    ...readingPage("repo.code"),
    id: "repositoryActivityPage",
    path: "/{owner}/{repo}/activity",
    summary: "The recent activity of a repository",
    access: repository.visible,
    query: { period: query.text("The period to show", Object.keys(periods)) },
    handle: async (request) => {
      const { actor, repository, page } = request;
      const period = (Object.keys(periods) as Period[]).find((one) => one === request.query.period) ?? "week";
      const now = deps.clock.now();
      const sinceMs = now - periods[period] * dayMs;
      const counts = await countRepositoryActivities(deps, actor, repository, sinceMs);
      const { items, total } = await listRepositoryFeed(deps, actor, repository, { dayMs: undefined, sinceMs, page });
      const view = await getRepository(deps, actor, repository.id);
      const reader = pageReader(request);
      const title = textsFor(codeTexts, reader.languages).activity;
      const props = { repository, period, counts, activities: items, total, page, now };
      return renderRepositoryPage({ ...reader, repository: repositoryHeader(view), tab: "code", title, heading: title }, <RepositoryActivity {...props} />);
    },
  }),
];
