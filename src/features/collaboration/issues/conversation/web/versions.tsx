import type { Clock } from "../../../../../core/clock.ts";
import { readId } from "../../../../../core/ids.ts";
import type { Db } from "../../../../../db/db.ts";
import { repository } from "../../../../../http/access.ts";
import { raw } from "../../../../../http/answers.ts";
import { pageReader } from "../../../../../http/page-reader.ts";
import { query } from "../../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../../http/route.ts";
import { renderRepositoryPage } from "../../../../../ui/repository-page.tsx";
import { SlowPart, streamPage } from "../../../../../ui/slow-part.tsx";
import { textsFor } from "../../../../../ui/texts/texts.ts";
import { repositoryHeader } from "../../../../repositories/repos/header.ts";
import { getRepository } from "../../../../repositories/repos/service/loaders.ts";
import { planningTexts } from "../../texts/texts.ts";
import { listTextVersions } from "../service/versions.ts";
import { VersionsView } from "../views/versions.tsx";

/** Former versions of issues and comments, for all their readers. */
export const versionPages = (deps: { readonly db: Db; readonly clock: Clock }): Route[] => [
  defineRoute({
    id: "textHistoryPage",
    method: "GET",
    mount: "root",
    path: "/{owner}/{repo}/issues/{index}/history",
    tag: "issue",
    isUnlisted: true,
    isPage: true,
    summary: "The edits of an issue or of a comment under it",
    access: repository.visible,
    scope: "issue",
    query: { comment: query.text("The comment's id; omit for the issue itself") },
    answers: raw(["text/html"]),
    handle: async (request) => {
      const { actor, repository, params } = request;
      const comment = request.query.comment ?? "";
      const { issue, versions } = await listTextVersions(deps, repository, params.index, comment);
      const reader = pageReader(request);
      const header = repositoryHeader(await getRepository(deps, actor, repository.id));
      const title = textsFor(planningTexts, reader.languages).editsOf(issue.number);
      const props = { repository, issue, versions, commentId: comment === "" ? undefined : readId(comment), now: deps.clock.now() };
      const page = renderRepositoryPage({ ...reader, repository: header, tab: issue.isPull ? "pulls" : "issues", title, heading: title }, <SlowPart />);
      return streamPage(page, reader.languages, <VersionsView {...props} />);
    },
  }),
];
