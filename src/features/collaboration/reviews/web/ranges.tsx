import type { Commit } from "../../../../git/types.ts";
import { repository } from "../../../../http/access.ts";
import { type RawReply, raw } from "../../../../http/answers.ts";
import { seeOther } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { comparePath, pullPath } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { SlowPart, streamPage } from "../../../../ui/slow-part.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { repositoryHeader } from "../../../repositories/repos/header.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";
import type { PullView } from "../../pulls/model.ts";
import { countedCommits, type PullRange, rangeOf, walkPullCommits } from "../../pulls/service/changes.ts";
import { getPull } from "../../pulls/service/find.ts";
import { PullFrame } from "../../pulls/views/frame.tsx";
import { type CommitRange, findReviewedHead, nameOfRange, readSinceReview } from "../service/ranges.ts";
import { reviewTexts } from "../texts/texts.ts";
import { NoChanges, Rewritten } from "../views/rewritten.tsx";
import { type FilesPageDeps, type FilesRequest, filesPage, shownFiles, shownFilesQuery } from "./files-page.tsx";

const one = "/{owner}/{repo}/pulls/{index}/files";
const reads = {
  mount: "root",
  tag: "issue",
  isUnlisted: true,
  isPage: true,
  scope: "repository",
  answers: raw(["text/html"]),
  method: "GET",
  access: repository.reader("repo.pulls"),
} as const;

/** Parts of the changes of a pull request: of some commits, and since the last review of the reader. */
export const rangePages = (deps: FilesPageDeps): Route[] => [
  defineRoute({
    ...reads,
    id: "chooseCommitRange",
    path: `${one}/range`,
    summary: "Redirects to the changes of a range of commits",
    query: { from: query.text("The first commit"), to: query.text("The last commit") },
    handle: async ({ repository, params, query: { from = "", to = "" } }) => {
      const path = `${pullPath(repository, Number(params.index))}/files`;
      if (from === "" || to === "") return seeOther(path);
      return seeOther(`${path}/${from === to ? encodeURIComponent(to) : `${encodeURIComponent(from)}..${encodeURIComponent(to)}`}`);
    },
  }),
  defineRoute({
    ...reads,
    id: "sinceReviewPage",
    isExpensive: true,
    path: `${one}/since-review`,
    summary: "What has changed in a pull request since the reader's last review",
    handle: async (request) => {
      const loaded = await load(deps, request);
      const { pull, range, commits } = loaded;
      const formerOid = await findReviewedHead(deps, request, pull);
      const allPath = `${pullPath(request.repository, pull.number)}/files`;
      const texts = textsFor(reviewTexts, pageReader(request).languages);
      if (formerOid === undefined) return partPage(deps, request, loaded, <NoChanges icon="eye" title={texts.notReviewed} allPath={allPath} />);
      const since = await readSinceReview(range, commits, formerOid, request.signal);
      switch (since.kind) {
        case "same":
          return partPage(deps, request, loaded, <NoChanges icon="check" title={texts.upToDate} allPath={allPath} />);
        case "gone":
          return partPage(deps, request, loaded, <NoChanges icon="history" title={texts.formerGone} allPath={allPath} />);
        case "added":
          return seeOther(rangePath(request, since.range));
        case "rewritten": {
          const compare = comparePath(request.repository, `${formerOid}..${range.toOid}`);
          return partPage(deps, request, loaded, <Rewritten text={since.text} comparePath={compare} allPath={allPath} />);
        }
      }
    },
  }),
  defineRoute({
    ...reads,
    id: "commitRangePage",
    isExpensive: true,
    path: `${one}/{range}`,
    summary: "The changes of one commit of a pull request, or of consecutive ones: `first..last`",
    query: shownFilesQuery,
    handle: (request) => filesPage(deps, request, shownFiles({ ...request.query, range: request.params.range })),
  }),
];

const rangePath = ({ repository, params }: FilesRequest, range: CommitRange): string =>
  `${pullPath(repository, Number(params.index))}/files/${nameOfRange(range)}`;

interface Loaded {
  readonly pull: PullView;
  readonly range: PullRange;
  readonly commits: readonly Commit[];
}

async function load(deps: FilesPageDeps, request: FilesRequest): Promise<Loaded> {
  const pull = await getPull(deps, request, request.params.index);
  const range = await rangeOf(deps, request, pull);
  return { pull, range, commits: await walkPullCommits(range) };
}

async function partPage(deps: FilesPageDeps, request: FilesRequest, { pull, commits }: Loaded, content: Html): Promise<RawReply> {
  const { actor, repository } = request;
  const view = pull.baseRepository ?? (await getRepository(deps, actor, repository.id));
  const reader = pageReader(request);
  const title = `${textsFor(reviewTexts, reader.languages).commitRange} · ${pull.issue.title} #${pull.number}`;
  const props = { ...reader, repository: repositoryHeader(view), tab: "pulls", title, heading: null } as const;
  const frame = <PullFrame repository={repository} pull={pull} part="files" commitsCount={countedCommits(commits)} now={deps.clock.now()} />;
  return streamPage(renderRepositoryPage(props, frame, <SlowPart />), reader.languages, content);
}
