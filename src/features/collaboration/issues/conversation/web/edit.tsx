import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { forbidden, isForgeError, notFound } from "../../../../../core/errors.ts";
import { readId } from "../../../../../core/ids.ts";
import type { Explained } from "../../../../../core/reasons.ts";
import type { RawReply } from "../../../../../http/answers.ts";
import { savedAt, seeOther } from "../../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../../http/page-reader.ts";
import { issueWorkPage } from "../../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../../http/session-cookie.ts";
import { issuePath, pullPath, repositoryPath } from "../../../../../ui/addresses.ts";
import { renderRepositoryPage } from "../../../../../ui/repository-page.tsx";
import { textsFor } from "../../../../../ui/texts/texts.ts";
import { bool, choice, inPlace, text } from "../../../../../wire/schema.ts";
import { repositoryHeader } from "../../../../repositories/repos/header.ts";
import { getRepository } from "../../../../repositories/repos/service/loaders.ts";
import type { CommentView, IssueView } from "../../model.ts";
import { canEditIssue, editsComment } from "../../rights.ts";
import { removeIssue } from "../../service/delete.ts";
import { editIssue, unchanged } from "../../service/edit.ts";
import { getIssue } from "../../service/find.ts";
import { issueTexts } from "../../texts/texts.ts";
import type { IssuePageDeps } from "../../web.tsx";
import { hideReasons } from "../hide-reason.ts";
import { editComment, getComment, hideComment, removeComment } from "../service/comments.ts";
import { commentEditing, issueEditing, uploadPath } from "../views/conversation.tsx";
import { type EditedText, EditView } from "../views/edit.tsx";

const one = "/{owner}/{repo}/issues/{index}/edit";
const oneComment = "/{owner}/{repo}/issues/{index}/comments/{id}";
const comment = `${oneComment}/edit` as const;

/** Pages to edit issues and comments. */
export const issueEditPages = (deps: IssuePageDeps): Route[] => [
  defineRoute({
    ...issueWorkPage,
    id: "editIssuePage",
    method: "GET",
    path: one,
    summary: "The form to edit a title and text",
    handle: async (request) => issueForm(deps, request, await requireOwnIssue(deps, request, request.params.index)),
  }),
  defineRoute({
    ...issueWorkPage,
    id: "saveIssue",
    method: "POST",
    path: one,
    summary: "Edit the title and text of an issue or pull request",
    body: inPlace({ title: text(), content: text(), content_version: text() }),
    handle: async (request) => {
      const { actor, repository, params, body } = request;
      const typed = { title: body.title.trim(), content: body.content, version: readId(body.content_version) };
      const edit = { ...unchanged, title: typed.title, content: typed.content, contentVersion: typed.version };
      const save = () => editIssue(deps, actor, repository, params.index, edit);
      const again = async (refusal: Refusal) => issueForm(deps, request, await requireOwnIssue(deps, request, params.index), { ...typed, refusal });
      if (typed.title === "") return again({ isStale: false, problem: { message: "Required", reason: "title_required" } });
      return saveOr(save, issuePath(repository, readId(params.index)), again);
    },
  }),
  defineRoute({
    ...issueWorkPage,
    id: "editCommentPage",
    method: "GET",
    path: comment,
    summary: "The form to edit a comment",
    handle: async (request) => commentForm(deps, request, await requireOwnComment(deps, request, request.params)),
  }),
  defineRoute({
    ...issueWorkPage,
    id: "saveComment",
    method: "POST",
    path: comment,
    summary: "Edit a comment",
    body: inPlace({ content: text(), content_version: text() }),
    handle: async (request) => {
      const { actor, repository, params, body } = request;
      const typed = { content: body.content, version: readId(body.content_version) };
      const { issue } = await requireOwnComment(deps, request, params);
      const save = () => editComment(deps, actor, repository, params.id, typed.content, typed.version);
      const again = async (refusal: Refusal) => commentForm(deps, request, await requireOwnComment(deps, request, params), { ...typed, refusal });
      return saveOr(save, `${issuePath(repository, issue.number)}#issuecomment-${readId(params.id)}`, again);
    },
  }),
  defineRoute({
    ...issueWorkPage,
    id: "deleteComment",
    method: "POST",
    path: `${oneComment}/delete`,
    summary: "Delete a comment",
    body: inPlace({}),
    handle: async (request) => {
      const { actor, repository, params } = request;
      const { issue } = await requireOwnComment(deps, request, params);
      await removeComment(deps, actor, repository, params.id);
      return seeOther((issue.isPull ? pullPath : issuePath)(repository, issue.number));
    },
  }),
  defineRoute({
    ...issueWorkPage,
    id: "hideComment",
    method: "POST",
    path: `${oneComment}/hide`,
    summary: "Hide a comment with a reason, or show it again",
    body: inPlace({ reason: choice("", ...hideReasons) }),
    handle: async (request) => {
      const { repository, params, body } = request;
      const reason = body.reason === "" ? undefined : body.reason;
      const { issue } = await hideComment(deps, repository, params.id, reason);
      return seeOther(`${(issue.isPull ? pullPath : issuePath)(repository, issue.number)}#issuecomment-${readId(params.id)}`);
    },
  }),
  defineRoute({
    ...issueWorkPage,
    id: "deleteIssuePage",
    method: "POST",
    path: "/{owner}/{repo}/issues/{index}/delete",
    summary: "Delete an issue or pull request",
    body: inPlace({ confirmed: bool() }),
    handle: async (request) => {
      const { actor, repository, params, body } = request;
      const { isPull, number } = await getIssue(deps, repository, params.index);
      const path = (isPull ? pullPath : issuePath)(repository, number);
      if (!body.confirmed) return seeOther(path);
      await removeIssue(deps, actor, repository, params.index);
      return savedAt(`${repositoryPath(repository)}/${isPull ? "pulls" : "issues"}`, "deleted");
    },
  }),
];

interface EditRequest extends PageRequest {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
}

/** Why the text was not saved. */
interface Refusal {
  readonly isStale: boolean;
  readonly problem: Explained | string;
}

interface RefusedText extends EditedText {
  readonly refusal: Refusal;
}

async function saveOr(save: () => Promise<unknown>, done: string, again: (refusal: Refusal) => Promise<RawReply>): Promise<RawReply> {
  try {
    await save();
    return seeOther(done);
  } catch (error) {
    if (!isForgeError(error, "invalid") && !isForgeError(error, "conflict")) throw error;
    return again({ isStale: error.code === "conflict", problem: error });
  }
}

async function requireOwnIssue(deps: IssuePageDeps, { actor, repository }: EditRequest, index: string): Promise<IssueView> {
  const issue = await getIssue(deps, repository, index);
  if (!canEditIssue(actor, repository, issue)) throw forbidden("Only the author and users with write access to issues can change this.");
  return issue;
}

async function requireOwnComment(
  deps: IssuePageDeps,
  { actor, repository }: EditRequest,
  params: { readonly index: string; readonly id: string },
): Promise<CommentView> {
  const found = await getComment(deps, repository, params.id);
  if (found === undefined || found.issue.number !== readId(params.index)) throw notFound();
  if (!editsComment(actor, repository, found)) throw forbidden("Only the author and users with write access to issues can change this.");
  return found;
}

const issueForm = (deps: IssuePageDeps, request: EditRequest, issue: IssueView, refused?: RefusedText): Promise<RawReply> =>
  editPage(deps, request, {
    saved: { title: issue.title, content: issue.content, version: issue.contentVersion },
    refused,
    action: issueEditing(request.repository, issue.number).page,
    issue,
  });

const commentForm = (deps: IssuePageDeps, request: EditRequest, found: CommentView, refused?: RefusedText): Promise<RawReply> =>
  editPage(deps, request, {
    saved: { content: found.content, version: found.contentVersion },
    refused,
    action: commentEditing(request.repository, found.issue.number, found.id).page,
    // Only the text of a review can be changed.
    deletion: found.kind === "comment" ? commentEditing(request.repository, found.issue.number, found.id).deletion : undefined,
    issue: found.issue,
  });

interface EditedProps {
  readonly saved: EditedText;
  readonly refused: RefusedText | undefined;
  readonly action: string;
  /** Address that deletes it; undefined if it cannot be deleted here. */
  readonly deletion?: string | undefined;
  readonly issue: { readonly number: number; readonly isPull: boolean };
}

/** The form keeps the input and shows the version saved by another user above it; the next attempt is based on that version. */
async function editPage(deps: IssuePageDeps, request: EditRequest, { saved, refused, action, deletion, issue }: EditedProps): Promise<RawReply> {
  const { actor, repository, session } = request;
  const reader = pageReader(request);
  const texts = textsFor(issueTexts, reader.languages);
  const isStale = refused?.refusal.isStale === true;
  const props = {
    ...saved,
    ...(refused !== undefined && { ...refused, version: isStale ? saved.version : refused.version }),
    action,
    deletion,
    back: issuePath(repository, issue.number),
    attachPath: uploadPath(repository),
    formToken: formTokenOf(requireSession(session)),
    problem: isStale ? texts.changedMeanwhile : refused?.refusal.problem,
    theirs: isStale ? saved.content : undefined,
  };
  const header = repositoryHeader(await getRepository(deps, actor, repository.id));
  const tab = issue.isPull ? "pulls" : "issues";
  const status = refused === undefined ? 200 : isStale ? 409 : 422;
  return renderRepositoryPage(
    { ...reader, repository: header, tab, title: texts.editTitle(issue.number), heading: texts.editTitle(issue.number), status },
    <EditView {...props} />,
  );
}
