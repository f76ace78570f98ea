import { notFound } from "../../../../core/errors.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { readingPage } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { repositoryHeader } from "../../repos/header.ts";
import { getRepository } from "../../repos/service/loaders.ts";
import { findFiles } from "../service/find-file.ts";
import type { ReadDeps } from "../service/read.ts";
import { splitViewedPath, type ViewedPath } from "../service/viewpoint.ts";
import { codeTexts } from "../texts/texts.ts";
import { FindFileView } from "../views/find-file.tsx";

const maxFiles = 100;

/** The page that finds files by their path. */
export const findFilePages = (deps: ReadDeps): Route[] => [
  defineRoute({
    ...readingPage("repo.code"),
    id: "findFilePage",
    path: "/{owner}/{repo}/find/{filepath+}",
    summary: "Find files of a branch, tag or commit by their path",
    query: { q: query.text("Characters of the path, in order") },
    handle: async (request) => {
      const { actor, repository, params } = request;
      const [, kind, rev] = /^(branch|tag|commit)\/(.+)$/s.exec(params.filepath) ?? [];
      const viewed = rev === undefined ? undefined : await splitViewedPath(deps, repository, rev, [kind as ViewedPath["at"]["kind"]]);
      if (viewed === undefined || viewed.path !== "") throw notFound();
      const typed = request.query.q ?? "";
      const found = await findFiles(deps, repository, viewed.at, typed, maxFiles);
      const view = await getRepository(deps, actor, repository.id);
      const reader = pageReader(request);
      const title = textsFor(codeTexts, reader.languages).findFile;
      return renderRepositoryPage(
        { ...reader, repository: repositoryHeader(view), tab: "code", title, heading: title },
        <FindFileView repository={repository} at={viewed.at} typed={typed} found={found} />,
      );
    },
  }),
];
