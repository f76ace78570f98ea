import { isUser } from "../../../../access/actor.ts";
import { writesAny } from "../../../../access/repository.ts";
import type { Clock } from "../../../../core/clock.ts";
import { moves } from "../../../../core/move-in-list.ts";
import type { Db } from "../../../../db/db.ts";
import { repository } from "../../../../http/access.ts";
import { seeOther } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { settingsPage } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { repositoryPath } from "../../../../ui/addresses.ts";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { choice, inPlace, int } from "../../../../wire/schema.ts";
import { repositoryHeader } from "../../../repositories/repos/header.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";
import { type RepositoryTextDeps, renderTexts } from "../../../site/markup/repository-texts.ts";
import { loadTaskProgress } from "../tasks/service/progress.ts";
import { canOrder, loadMilestonePlan, moveInMilestone } from "./service.ts";
import { MilestonePage } from "./views.tsx";

interface MilestonePlanDeps extends RepositoryTextDeps {
  readonly db: Db;
  readonly clock: Clock;
}

const planned = ["repo.issues", "repo.pulls"] as const;
const page = { ...settingsPage, tag: "issue", scope: "issue" } as const;
const path = "/{owner}/{repo}/milestone/{id}";

/** The page of a milestone: progress and issues in order. */
export const milestonePlanPages = (deps: MilestonePlanDeps): Route[] => [
  defineRoute({
    ...page,
    id: "milestoneIssues",
    method: "GET",
    path,
    summary: "A milestone with its issues and pull requests",
    access: repository.visible,
    query: { state: query.text("Open or closed issues", ["open", "closed"]) },
    handle: async (request) => {
      const { actor, repository, params, page } = request;
      const isClosed = request.query.state === "closed";
      const plan = await loadMilestonePlan(deps, repository, params.id, { isClosed, page });
      const [html = ""] = await renderTexts(deps, actor, repository, [plan.milestone.description]);
      const reader = pageReader(request);
      const props = {
        ...plan,
        repository,
        html,
        isClosed,
        progress: await loadTaskProgress(deps.db, plan.issues),
        page,
        canChange: isUser(actor) && reader.viewer !== undefined && writesAny(repository.right, planned),
        orderToken: isUser(actor) && canOrder(repository) ? reader.viewer?.formToken : undefined,
        now: deps.clock.now(),
      };
      const view = await getRepository(deps, actor, repository.id);
      const { title } = plan.milestone;
      return renderRepositoryPage({ ...reader, repository: repositoryHeader(view), tab: "issues", title, heading: title }, <MilestonePage {...props} />);
    },
  }),
  defineRoute({
    ...page,
    id: "orderMilestone",
    method: "POST",
    path: `${path}/order`,
    summary: "Move an issue within a milestone",
    access: repository.signedIn({ archived: "refused" }),
    body: inPlace({ number: int(), to: choice(...moves) }),
    handle: async ({ repository, params, body }) => {
      await moveInMilestone(deps, repository, params.id, body);
      return seeOther(`${repositoryPath(repository)}/milestone/${params.id}#move-${body.number}`);
    },
  }),
];
