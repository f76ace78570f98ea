import { type Actor, isUser } from "../../../access/actor.ts";
import { atLeast } from "../../../access/repository.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import type { Clock } from "../../../core/clock.ts";
import { messageTitle } from "../../../core/commit-message.ts";
import { notFound } from "../../../core/errors.ts";
import type { Oid } from "../../../git/types.ts";
import { diffFileQuery } from "../../../http/diff-query.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { readingPage } from "../../../http/page-route.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { showsSplit } from "../../../ui/diff.tsx";
import type { Html } from "../../../ui/html.ts";
import { renderRepositoryPage } from "../../../ui/repository-page.tsx";
import { SlowPart, streamPage } from "../../../ui/slow-part.tsx";
import { textsFor } from "../../../ui/texts/texts.ts";
import type { CommitDetail } from "../commits/model.ts";
import { getCommit } from "../commits/service/commit.ts";
import type { CommitDeps } from "../commits/service/loaders.ts";
import { readNoteText } from "../commits/service/notes.ts";
import { repositoryHeader } from "../repos/header.ts";
import { getRepository } from "../repos/service/loaders.ts";
import { stateOfCommit } from "../statuses/service.ts";
import { readCommitPiece } from "./service/commit.ts";
import { type ContainingDeps, findContainingRefs } from "./service/containing.ts";
import type { PieceDeps } from "./service/diff-windows.ts";
import { commitTexts } from "./texts/texts.ts";
import { CommitChanges, CommitHead, commitAddress } from "./views/commit.tsx";
import { Containing } from "./views/containing.tsx";
import { readDiffState, readGaps } from "./views/looking.ts";

export interface CommitPageDeps extends CommitDeps, PieceDeps, ContainingDeps {
  readonly clock: Clock;
  /** The comments on a commit. Provided by the composition root, because issues, whose references they use, are a later feature. */
  readonly showCommitComments: (commented: Commented, oid: Oid) => Promise<Html>;
}

/** The reader of the comments on a commit. */
export interface Commented {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly formToken: string | undefined;
  /** Page of the comments. */
  readonly page: number;
}

const detail: CommitDetail = { stats: false, files: false, verification: true };

/** The web page of a commit. */
export const commitPages = (deps: CommitPageDeps): Route[] => [
  defineRoute({
    ...readingPage("repo.code"),
    id: "commitPage",
    isExpensive: true,
    path: "/{owner}/{repo}/commit/{sha+}",
    summary: "A commit and its changes",
    query: { ...diffFileQuery, parent: query.integer("The parent to compare with, starting at 1") },
    handle: async (request) => {
      const { actor, repository, params, query, signal } = request;
      const view = await getCommit(deps, { actor, repository, detail, signal }, params.sha);
      const { commit } = view;
      const parent = query.parent ?? 1;
      const parentOid = commit.parentOids[parent - 1];
      if (parentOid === undefined && parent !== 1) throw notFound();
      const state = readDiffState(query);
      const gaps = readGaps(query.gap);
      const isSplit = showsSplit(state.style, isUser(actor) ? actor.display : undefined);
      const looking = { repository, state, address: commitAddress(repository, commit.oid, parent), isSplit, gaps };
      const changes = async (): Promise<Html> => {
        const piece = await readCommitPiece(deps, repository, commit, { ...state, parentOid, only: query.file, gaps, signal });
        return (
          <>
            <CommitChanges {...looking} oid={commit.oid} piece={piece} />
            {comments}
          </>
        );
      };
      const canCommit = isUser(actor) && !repository.isArchived && !repository.isMirror && atLeast(repository.right.unit("repo.code"), "write");
      const reader = pageReader(request);
      const commented = { actor, repository, formToken: reader.viewer?.formToken, page: request.page.page };
      const [checks, note, comments] = await Promise.all([
        stateOfCommit(deps.db, repository.id, commit.oid),
        readNoteText(deps, repository, commit.oid),
        query.file === undefined ? deps.showCommitComments(commented, commit.oid) : undefined,
      ]);
      const head = <CommitHead {...{ repository, view, parent, state, canCommit, checks, note }} now={deps.clock.now()} />;
      const title = messageTitle(commit.message) || commit.oid.slice(0, 10);
      const props = { ...reader, repository: repositoryHeader(await getRepository(deps, actor, repository.id)), tab: "code", title, heading: null } as const;
      // Whether the requested file exists is only known once the changes are loaded.
      return streamPage(renderRepositoryPage(props, head, <SlowPart />), reader.languages, query.file === undefined ? changes : await changes());
    },
  }),
  defineRoute({
    ...readingPage("repo.code"),
    id: "containingRefsPage",
    isExpensive: true,
    path: "/{owner}/{repo}/branch_commits/{sha}",
    summary: "The branches and tags that contain a commit",
    handle: async (request) => {
      const { actor, repository, params, signal } = request;
      const { commit } = await getCommit(deps, { actor, repository, detail: { stats: false, files: false, verification: false }, signal }, params.sha);
      const refs = await findContainingRefs(deps, repository, commit.oid, signal);
      const reader = pageReader(request);
      const title = textsFor(commitTexts, reader.languages).containing;
      const header = repositoryHeader(await getRepository(deps, actor, repository.id));
      return renderRepositoryPage(
        { ...reader, repository: header, tab: "code", title, heading: title },
        <Containing repository={repository} oid={commit.oid} refs={refs} />,
      );
    },
  }),
];
