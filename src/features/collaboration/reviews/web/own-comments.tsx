import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { type ForgeError, isForgeError, notFound } from "../../../../core/errors.ts";
import { readId } from "../../../../core/ids.ts";
import { type RawReply, raw } from "../../../../http/answers.ts";
import { diffQuery } from "../../../../http/diff-query.ts";
import { seeOther } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { pullWorkPage } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { pullPath, withQuery } from "../../../../ui/addresses.ts";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { bool, inPlace, int, text } from "../../../../wire/schema.ts";
import { type DiffState, readDiffState } from "../../../repositories/diffs/views/looking.ts";
import { repositoryHeader } from "../../../repositories/repos/header.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";
import { EditView } from "../../issues/conversation/views/edit.tsx";
import { issueTexts } from "../../issues/texts/texts.ts";
import type { PullDeps } from "../../pulls/service/deps.ts";
import { editLineComment, getOwnComment, type OwnComment, removeLineComment, tickTask } from "../service/own-comments.ts";
import { reviewTexts } from "../texts/texts.ts";
import { commentPath, filesPath } from "../views/files-address.ts";
import { RemoveComment } from "../views/own-comment.tsx";

const page = { ...pullWorkPage, query: { ...diffQuery, back: query.integer("The page of the conversation to return to; defaults to the files") } } as const;
const Ticked = inPlace({ content_version: int() });
const one = "/{owner}/{repo}/pulls/{index}/files/comments/{id}";

/** Pages to edit and delete comments on lines. */
export const ownCommentPages = (deps: PullDeps): Route[] => [
  defineRoute({
    ...page,
    id: "editLineCommentPage",
    method: "GET",
    path: `${one}/edit`,
    summary: "The form to edit a comment on lines",
    handle: (request) => editPage(deps, request),
  }),
  defineRoute({
    ...page,
    id: "saveLineComment",
    method: "POST",
    path: `${one}/edit`,
    summary: "Edit a comment on lines",
    body: inPlace({ content: text(), content_version: text() }),
    handle: async (request) => {
      const { actor, repository, params, body } = request;
      const typed = { content: body.content, version: readId(body.content_version) };
      try {
        await requireHere(deps, request);
        await editLineComment(deps, actor, repository, params.id, { content: typed.content, seenVersion: typed.version });
        return seeOther(backTo(request, readId(params.id)));
      } catch (error) {
        if (!isForgeError(error, "invalid") && !isForgeError(error, "conflict")) throw error;
        return editPage(deps, request, { ...typed, error });
      }
    },
  }),
  defineRoute({
    ...page,
    isPage: false,
    id: "tickLineCommentTask",
    method: "POST",
    path: `${one}/tasks`,
    summary: "Mark a task item of a comment on lines as done or open",
    body: inPlace({ position: int(), done: bool(), content_version: int() }),
    answers: raw(["application/json"], 200, Ticked),
    handle: async (request) => {
      const { actor, repository, params, body } = request;
      await requireHere(deps, request);
      const ticked = { position: body.position, isDone: body.done, seenVersion: body.content_version };
      const version = await tickTask(deps, actor, repository, params.id, ticked);
      return { status: 200, headers: { "content-type": "application/json;charset=utf-8" }, body: JSON.stringify({ content_version: version }) };
    },
  }),
  defineRoute({
    ...page,
    id: "removeLineComment",
    method: "POST",
    path: `${one}/delete`,
    summary: "Delete a comment on lines",
    body: inPlace({}),
    handle: async (request) => {
      await requireHere(deps, request);
      await removeLineComment(deps, request.actor, request.repository, request.params.id);
      return seeOther(backTo(request));
    },
  }),
];

interface EditRequest extends PageRequest {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
  readonly params: { readonly index: string; readonly id: string };
  readonly query: Parameters<typeof readDiffState>[0] & { readonly back: number | undefined };
}

async function requireHere(deps: Pick<PullDeps, "db">, { actor, repository, params }: EditRequest): Promise<OwnComment> {
  const own = await getOwnComment(deps, actor, repository, params.id);
  if (own.pull.number !== readId(params.index)) throw notFound();
  return own;
}

/** Address of the comment, or its former position. */
function backTo({ repository, params, query }: EditRequest, commentId?: number): string {
  const number = readId(params.index);
  const state: DiffState = readDiffState(query);
  if (query.back === undefined) return commentId === undefined ? filesPath(repository, number, state) : commentPath(repository, number, state, commentId);
  const path = withQuery(pullPath(repository, number), { page: query.back > 1 ? query.back : undefined });
  return commentId === undefined ? path : `${path}#issuecomment-${commentId}`;
}

interface RefusedText {
  readonly content: string;
  readonly version: number;
  readonly error: ForgeError;
}

/** The form keeps the input and shows the version saved by another user above it; the next attempt is based on that version. */
async function editPage(deps: PullDeps, request: EditRequest, refused?: RefusedText): Promise<RawReply> {
  const { actor, repository, query } = request;
  const { comment, pull } = await requireHere(deps, request);
  const reader = pageReader(request);
  const texts = textsFor(issueTexts, reader.languages);
  const reviewing = textsFor(reviewTexts, reader.languages);
  const isStale = refused?.error.code === "conflict";
  const formToken = formTokenOf(requireSession(request.session));
  const address = (below: string): string => filesPath(repository, pull.number, readDiffState(query), `/comments/${comment.id}/${below}`, { back: query.back });
  const problem = refused && (isStale ? texts.changedMeanwhile : refused.error);
  const props = {
    content: refused?.content ?? comment.content,
    version: refused === undefined || isStale ? comment.contentVersion : refused.version,
    action: address("edit"),
    back: backTo(request, comment.id),
    formToken,
    problem,
    theirs: isStale ? comment.content : undefined,
  };
  const header = repositoryHeader(await getRepository(deps, actor, repository.id));
  const title = reviewing.editTitle(comment.path, pull.number);
  const status = refused === undefined ? 200 : isStale ? 409 : 422;
  return renderRepositoryPage({ ...reader, repository: header, tab: "pulls", title, heading: title, status }, [
    <EditView {...props} />,
    <RemoveComment action={address("delete")} formToken={formToken} path={comment.path} />,
  ]);
}
