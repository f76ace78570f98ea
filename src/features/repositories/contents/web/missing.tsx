import type { RepositorySubject } from "../../../../access/subjects.ts";
import { isForgeError } from "../../../../core/errors.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { Empty } from "../../../../ui/blocks.tsx";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import type { PathPage } from "../../../../ui/rev-menu.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import type { RefMenus } from "../../refs/service/menus.ts";
import { repositoryHeader } from "../../repos/header.ts";
import type { RepositoryView } from "../../repos/model.ts";
import type { ViewedPath } from "../service/viewpoint.ts";
import { codeTexts } from "../texts/texts.ts";
import { HistoryLink, PathBar } from "../views/path-bar.tsx";

interface Requested {
  readonly request: PageRequest & { readonly repository: RepositorySubject };
  readonly view: RepositoryView;
  readonly viewed: ViewedPath;
  readonly page: Exclude<PathPage, "commits">;
}

/** Returns the page, or a 404 page with links to other commits and the history if the commit does not have the path. */
export async function orMissing(deps: { readonly refMenus: RefMenus }, requested: Requested, work: () => Promise<RawReply>): Promise<RawReply> {
  try {
    return await work();
  } catch (error) {
    if (!isForgeError(error, "not_found")) throw error;
    return missingPath(deps, requested);
  }
}

async function missingPath({ refMenus }: { readonly refMenus: RefMenus }, { request, view, viewed: { at, path }, page }: Requested): Promise<RawReply> {
  const { repository } = request;
  const reader = pageReader(request);
  const texts = textsFor(codeTexts, reader.languages);
  const revs = await refMenus.offer(repository);
  const rendered = renderRepositoryPage(
    { ...reader, repository: repositoryHeader(view), tab: "code", title: texts.missing, heading: null },
    <PathBar repository={repository} at={at} path={path} page={page} revs={revs}>
      <HistoryLink repository={repository} at={at} path={path} />
    </PathBar>,
    <Empty icon="file" title={texts.missing}>
      <p>{texts.missingHint}</p>
    </Empty>,
  );
  return { ...rendered, status: 404 };
}
