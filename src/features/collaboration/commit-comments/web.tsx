import type { Actor, UserActor } from "../../../access/actor.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import type { Clock } from "../../../core/clock.ts";
import { type ForgeError, isForgeError } from "../../../core/errors.ts";
import { readId } from "../../../core/ids.ts";
import type { Page } from "../../../core/paging.ts";
import type { Explained } from "../../../core/reasons.ts";
import type { Db } from "../../../db/db.ts";
import type { Oid } from "../../../git/types.ts";
import { repository } from "../../../http/access.ts";
import { type RawReply, raw } from "../../../http/answers.ts";
import { seeOther } from "../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../http/page-reader.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import { commitPath, withQuery } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import { renderRepositoryPage } from "../../../ui/repository-page.tsx";
import { textsFor } from "../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../wire/schema.ts";
import type { CommitDeps } from "../../repositories/commits/service/loaders.ts";
import { repositoryHeader } from "../../repositories/repos/header.ts";
import { getRepository } from "../../repositories/repos/service/loaders.ts";
import { type RepositoryTextDeps, renderTexts } from "../../site/markup/repository-texts.ts";
import { EditView } from "../issues/conversation/views/edit.tsx";
import { issueTexts } from "../issues/texts/texts.ts";
import { canComment, changesComment, createComment, editComment, getOwnComment, listComments, pageOfComment, removeComment } from "./service.ts";
import { commitCommentTexts } from "./texts/texts.ts";
import { CommitComments, type CommitCommentsProps, commentsPath } from "./views.tsx";

interface ShowDeps extends RepositoryTextDeps {
  readonly db: Db;
  readonly clock: Clock;
}

type CommitCommentDeps = CommitDeps & ShowDeps;

const page = {
  mount: "root",
  tag: "repository",
  isUnlisted: true,
  isPage: true,
  access: repository.signedIn({ archived: "refused" }),
  scope: "repository",
  answers: raw(["text/html"]),
} as const;
const all = "/{owner}/{repo}/commit_comments";

/** Number of comments on a page. */
const perPage = 50;

/** A page of the comments on a commit. */
const pageAt = (number: number): Page => ({ page: number, limit: perPage, offset: (number - 1) * perPage });

interface Commented {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly formToken: string | undefined;
  readonly page: number;
  readonly refused?: CommitCommentsProps["refused"];
}

/** The part of the page of a commit with its comments. One statement without comments, otherwise two and those of their references. */
export async function showComments(deps: ShowDeps, commented: Commented, oid: Oid): Promise<Html> {
  const { actor, repository, formToken, refused } = commented;
  const page = pageAt(commented.page);
  const { items, total } = await listComments(deps, repository, oid, page);
  const texts = await renderTexts(
    deps,
    actor,
    repository,
    items.map(({ content }) => content),
  );
  const comments = items.map((comment, at) => ({ comment, html: texts[at] ?? "", isEditable: changesComment(actor, repository, comment) }));
  const props = { repository, oid, comments, page, total, formToken, canComment: canComment(actor, repository), refused, now: deps.clock.now() };
  return <CommitComments {...props} />;
}

/** Routes for comments on commits. */
export const commitCommentPages = (deps: CommitCommentDeps): Route[] => [
  defineRoute({
    ...page,
    id: "commentOnCommit",
    method: "POST",
    path: all,
    summary: "Comment on a commit",
    body: inPlace({ commit: text(), content: text() }),
    handle: async (request) => {
      const { actor, repository, body } = request;
      try {
        const comment = await createComment(deps, actor, repository, body.commit, body.content);
        return seeOther(await addressOf(deps, repository, comment));
      } catch (error) {
        if (!isForgeError(error, "invalid") && !(isForgeError(error, "forbidden") && error.reason === "user_blocked")) throw error;
        if (isForgeError(error, "invalid") && error.reason === "target_not_found") throw error;
        return refusedPage(deps, request, body, error);
      }
    },
  }),
  defineRoute({
    ...page,
    id: "editCommitCommentPage",
    method: "GET",
    path: `${all}/{id}/edit`,
    summary: "The form to edit a comment on a commit",
    handle: (request) => editPage(deps, request),
  }),
  defineRoute({
    ...page,
    id: "saveCommitComment",
    method: "POST",
    path: `${all}/{id}/edit`,
    summary: "Edit a comment on a commit",
    body: inPlace({ content: text(), content_version: text() }),
    handle: async (request) => {
      const { actor, repository, params, body } = request;
      const typed = { content: body.content, version: readId(body.content_version) };
      try {
        const comment = await editComment(deps, actor, repository, params.id, { content: typed.content, seenVersion: typed.version });
        return seeOther(await addressOf(deps, repository, comment));
      } catch (error) {
        if (!isForgeError(error, "invalid") && !isForgeError(error, "conflict")) throw error;
        return editPage(deps, request, { ...typed, error });
      }
    },
  }),
  defineRoute({
    ...page,
    id: "removeCommitComment",
    method: "POST",
    path: `${all}/{id}/delete`,
    summary: "Delete a comment on a commit",
    body: inPlace({}),
    handle: async ({ actor, repository, params }) => seeOther(`${commitPath(repository, await removeComment(deps, actor, repository, params.id))}#comments`),
  }),
];

async function addressOf(deps: CommitCommentDeps, repository: RepositorySubject, comment: { readonly id: number; readonly commitOid: Oid }): Promise<string> {
  const number = await pageOfComment(deps, repository, comment, perPage);
  return `${withQuery(commitPath(repository, comment.commitOid), { page: number === 1 ? undefined : number })}#commitcomment-${comment.id}`;
}

type CommentRequest = PageRequest & { readonly actor: UserActor; readonly repository: RepositorySubject };

/** The comments alone, with the rejected text. */
async function refusedPage(
  deps: CommitCommentDeps,
  request: CommentRequest,
  { commit, content }: { readonly commit: string; readonly content: string },
  problem: Explained,
): Promise<RawReply> {
  const { actor, repository } = request;
  const reader = pageReader(request);
  const formToken = formTokenOf(requireSession(request.session));
  const shown = await showComments(deps, { actor, repository, formToken, page: 1, refused: { content, problem } }, commit as Oid);
  const header = repositoryHeader(await getRepository(deps, actor, repository.id));
  const title = commit.slice(0, 10);
  return renderRepositoryPage({ ...reader, repository: header, tab: "code", title, heading: title, status: 422 }, shown);
}

interface RefusedText {
  readonly content: string;
  readonly version: number;
  readonly error: ForgeError;
}

/** The form keeps the input and shows the version saved by another user above it. */
async function editPage(
  deps: CommitCommentDeps,
  request: CommentRequest & { readonly params: { readonly id: string } },
  refused?: RefusedText,
): Promise<RawReply> {
  const { actor, repository, params } = request;
  const comment = await getOwnComment(deps, actor, repository, params.id);
  const reader = pageReader(request);
  const texts = textsFor(issueTexts, reader.languages);
  const isStale = refused?.error.code === "conflict";
  const props = {
    content: refused?.content ?? comment.content,
    version: refused === undefined || isStale ? comment.contentVersion : refused.version,
    action: commentsPath(repository, `/${comment.id}/edit`),
    back: await addressOf(deps, repository, comment),
    deletion: commentsPath(repository, `/${comment.id}/delete`),
    formToken: formTokenOf(requireSession(request.session)),
    problem: refused && (isStale ? texts.changedMeanwhile : refused.error),
    theirs: isStale ? comment.content : undefined,
  };
  const header = repositoryHeader(await getRepository(deps, actor, repository.id));
  const title = textsFor(commitCommentTexts, reader.languages).editTitle(comment.commitOid.slice(0, 10));
  const status = refused === undefined ? 200 : isStale ? 409 : 422;
  return renderRepositoryPage({ ...reader, repository: header, tab: "code", title, heading: title, status }, <EditView {...props} />);
}
