import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import { isForgeError, notFound } from "../../../../core/errors.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { readingPage } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { NoCommits } from "../../../../ui/blocks.tsx";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { SlowPart, streamPage } from "../../../../ui/slow-part.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import type { RefMenus } from "../../refs/service/menus.ts";
import { repositoryHeader } from "../../repos/header.ts";
import type { RepositoryView } from "../../repos/model.ts";
import { getRepository } from "../../repos/service/loaders.ts";
import type { Viewpoint } from "../model.ts";
import { type BlameDeps, blameFile, searchCode } from "../service/blame.ts";
import { type ReadDeps, readContentsAt } from "../service/read.ts";
import { readSourceTree } from "../service/source-tree.ts";
import { findViewpoint, splitViewedPath, type ViewedPath } from "../service/viewpoint.ts";
import { codeTexts, searchTexts } from "../texts/texts.ts";
import { BlameView, CodeSearchForm, FoundLines } from "../views/blame.tsx";
import { HistoryLink, PathBar } from "../views/path-bar.tsx";
import { treeLookOf, WithTree } from "../views/source-tree.tsx";
import { orMissing } from "./missing.tsx";

export interface TracingPageDeps extends ReadDeps, Pick<BlameDeps, "markup"> {
  readonly clock: Clock;
  readonly refMenus: RefMenus;
}

const page = readingPage("repo.code");

/** The pages for blame and code search. */
export const tracingPages = (deps: TracingPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "blamePage",
    isExpensive: true,
    path: "/{owner}/{repo}/blame/{filepath+}",
    summary: "A file with the commit of each line",
    query: { ignore_revs: query.bool("Leave out the commits that .git-blame-ignore-revs lists; true if omitted") },
    handle: async (request) => {
      const { actor, repository, params } = request;
      const [, kind, rest] = /^(branch|tag|commit)\/(.+)$/s.exec(params.filepath) ?? [];
      const viewed = rest === undefined ? undefined : await splitViewedPath(deps, repository, rest, [kind as Viewpoint["kind"]]);
      if (viewed === undefined || viewed.path === "") throw notFound();
      const view = await getRepository(deps, actor, repository.id);
      return orMissing(deps, { request, view, viewed, page: "blame" }, () =>
        blamed(deps, request, view, { viewed, ignoresRevs: request.query.ignore_revs !== false }),
      );
    },
  }),
  defineRoute({
    ...page,
    id: "codeSearchPage",
    isExpensive: true,
    path: "/{owner}/{repo}/search",
    summary: "Search the files of the default branch or of another commit",
    query: { q: query.text("The string to search for"), ref: query.text("A branch, tag or commit; the default branch if omitted") },
    handle: async (request) => {
      const { actor, repository, signal } = request;
      const typed = request.query.q ?? "";
      const at = repository.isEmpty ? undefined : await findViewpoint(deps, repository, request.query.ref ?? "");
      const view = await getRepository(deps, actor, repository.id);
      const reader = pageReader(request);
      const title = textsFor(searchTexts, reader.languages).title;
      const props = { ...reader, repository: repositoryHeader(view), tab: "code", title, heading: title } as const;
      const none = textsFor(codeTexts, reader.languages).noCommits;
      if (at === undefined) return renderRepositoryPage(props, <NoCommits repository={repository} icon="search" title={none} />);
      const part = async () => <FoundLines repository={repository} at={at} typed={typed} found={await searchCode(deps, repository, at, typed, signal)} />;
      return streamPage(
        renderRepositoryPage(props, <CodeSearchForm repository={repository} rev={at.rev} typed={typed} />, <SlowPart />),
        reader.languages,
        part,
      );
    },
  }),
];

type BlameRequest = Parameters<typeof pageReader>[0] & { readonly repository: RepositorySubject; readonly signal: AbortSignal };

interface BlameWish {
  readonly viewed: ViewedPath;
  readonly ignoresRevs: boolean;
}

async function blamed(deps: TracingPageDeps, request: BlameRequest, view: RepositoryView, { viewed: { at, path }, ignoresRevs }: BlameWish): Promise<RawReply> {
  const { repository, signal } = request;
  const { found } = await readContentsAt(deps, repository, at, { path, detail: { content: false, lfs: false, lastCommit: false } });
  if (!("file" in found)) throw notFound();
  const reader = pageReader(request);
  const texts = textsFor(searchTexts, reader.languages);
  const part = () =>
    blameFile(deps, repository, at, found.file, { ignoresRevs, signal }).then(
      (blamed) => <BlameView repository={repository} at={at} path={path} sizeBytes={found.file.sizeBytes} {...blamed} now={deps.clock.now()} />,
      (error: unknown) => {
        if (isForgeError(error, "invalid")) return <p class="notice">{texts.noText}</p>;
        throw error;
      },
    );
  const props = { ...reader, repository: repositoryHeader(view), tab: "code", title: texts.blameOf(path), heading: null } as const;
  const revs = await deps.refMenus.offer(repository);
  const content = (
    <WithTree repository={repository} at={at} path={path} tree={await readSourceTree(deps, repository, at, path)} look={treeLookOf(request.headers)}>
      <PathBar repository={repository} at={at} path={path} page="blame" revs={revs}>
        <HistoryLink repository={repository} at={at} path={path} />
      </PathBar>
      <SlowPart />
    </WithTree>
  );
  return streamPage(renderRepositoryPage(props, content), reader.languages, part);
}
