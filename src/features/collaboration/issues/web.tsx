import { type Actor, isUser } from "../../../access/actor.ts";
import { atLeast } from "../../../access/repository.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import type { Clock } from "../../../core/clock.ts";
import { isForgeError } from "../../../core/errors.ts";
import type { Page } from "../../../core/paging.ts";
import type { Explained } from "../../../core/reasons.ts";
import type { Db } from "../../../db/db.ts";
import { repository } from "../../../http/access.ts";
import { type RawReply, raw } from "../../../http/answers.ts";
import { Moved } from "../../../http/authorize.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { issuePath, pullPath, repositoryPath } from "../../../ui/addresses.ts";
import { renderRepositoryPage } from "../../../ui/repository-page.tsx";
import { textsFor } from "../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../wire/schema.ts";
import { repositoryHeader } from "../../repositories/repos/header.ts";
import { articleCard } from "../../repositories/repos/present.ts";
import { getRepository } from "../../repositories/repos/service/loaders.ts";
import type { RepositoryTextDeps } from "../../site/markup/repository-texts.ts";
import { listReplies } from "../saved-replies/service.ts";
import type { CloseReason } from "./close-reason.ts";
import { answerIssue } from "./conversation/service/comment-and-set-state.ts";
import { beginComment, type CommentBeginning } from "./conversation/service/comments.ts";
import { listTimeline } from "./conversation/service/timeline.ts";
import { textActions } from "./conversation/views/conversation.tsx";
import { listPinned } from "./planning/service/pins.ts";
import { loadSide } from "./planning/service/side.ts";
import { changePath } from "./planning/views/plan-forms.tsx";
import { countedReactions } from "./reactions/service.ts";
import { shownReactions } from "./reactions/views.tsx";
import { canCommentOn, canEditIssue, editsComment } from "./rights.ts";
import { loadListPage } from "./search/service/list-page.ts";
import { IssueListView } from "./search/views/list.tsx";
import { filtersOf, redirectOf } from "./search/views/list-address.ts";
import { getIssue } from "./service/find.ts";
import { renderConversation } from "./tasks/service/rendered-tasks.ts";
import { issueTexts } from "./texts/texts.ts";
import { readOrFollow } from "./transfer/service.ts";
import { IssuePage } from "./views/issue.tsx";

export interface IssuePageDeps extends RepositoryTextDeps {
  readonly db: Db;
  readonly clock: Clock;
}

const page = { mount: "root", tag: "issue", isUnlisted: true, isPage: true, scope: "issue", answers: raw(["text/html"]) } as const;
/** `reply`: the saved reply that the text gets before it is sent. */
const CommentForm = inPlace({ content: text(), action: text(), reply: text() });

export const issuePages = (deps: IssuePageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "issuesPage",
    method: "GET",
    path: "/{owner}/{repo}/issues",
    summary: "Search the issues of a repository",
    access: repository.reader("repo.issues"),
    query: {
      q: query.text("Words and qualifiers such as `is:open label:bug author:@me`"),
      label: query.text("Adds a label to the query, or removes it"),
      author: query.text("Replaces the author in the query"),
      assignee: query.text("Replaces the assignee in the query"),
      milestone: query.text("Replaces the milestone in the query"),
      changed: query.integer("Number of issues that a form has just changed"),
      undone: query.integer("Number of issues whose change is undone"),
    },
    handle: async (request) => {
      const { actor, repository } = request;
      const elsewhere = redirectOf(repositoryPath(repository), "issues", filtersOf(request.query));
      if (elsewhere !== undefined) return seeOther(elsewhere);
      const { view, choices, list } = await loadListPage(deps, "issues", request);
      const reader = pageReader(request);
      const title = textsFor(issueTexts, reader.languages).title;
      const props = {
        ...list,
        canCreate: isUser(actor) && !repository.isArchived,
        pinned: request.page.page === 1 && request.query.q === undefined ? await listPinned(deps, repository, { isPull: false }) : [],
        pinToken: atLeast(repository.right.mode, "admin") && !repository.isArchived ? reader.viewer?.formToken : undefined,
        outcome: request.query,
        bulk: choices && reader.viewer && { choices, formToken: reader.viewer.formToken, chosen: [] },
      };
      return renderRepositoryPage(
        { ...reader, repository: repositoryHeader(view), tab: "issues", title, heading: title, hidesHeading: true },
        <IssueListView {...props} />,
      );
    },
  }),
  defineRoute({
    ...page,
    id: "issuePage",
    method: "GET",
    path: "/{owner}/{repo}/issues/{index}",
    summary: "An issue with its timeline",
    access: repository.visible,
    query: {
      quote: query.text("Begins the comment with a quote: id of a comment, or `issue`"),
    },
    handle: async (request) => {
      const read = await readOrFollow(deps, request, () => issuePage(deps, request, request.params.index, undefined, request.query));
      if ("movedTo" in read) throw new Moved(read.movedTo, 307);
      return read.found;
    },
  }),
  defineRoute({
    ...page,
    id: "answerIssue",
    method: "POST",
    path: "/{owner}/{repo}/issues/{index}/comments",
    summary: "Comment on, close or reopen an issue",
    access: repository.signedIn({ archived: "refused" }),
    body: CommentForm,
    handle: async (request) => {
      const { actor, repository, params, body } = request;
      if (body.reply !== "") return issuePage(deps, request, params.index, undefined, { typed: body.content, reply: body.reply });
      const content = body.content.trim();
      const reason = closeReasons[body.action];
      const closes = reason !== undefined ? true : body.action === "reopen" ? false : undefined;
      if (content === "" && closes === undefined) {
        const problem = { message: "Required", reason: "comment_required" } as const;
        return issuePage(deps, request, params.index, { content, problem });
      }
      try {
        const commentId = await answerIssue(deps, actor, repository, params.index, { content, isClosed: closes, reason });
        return seeOther(`${issuePath(repository, Number(params.index))}${commentId === undefined ? "" : `#issuecomment-${commentId}`}`);
      } catch (error) {
        if (!isForgeError(error, "invalid") && !isForgeError(error, "stale")) throw error;
        return issuePage(deps, request, params.index, { content, problem: error });
      }
    },
  }),
];

/** The actions that close an issue. */
const closeReasons: Readonly<Record<string, CloseReason>> = { close: "", close_not_planned: "not_planned", close_duplicate: "duplicate" };

const seeOther = (path: string): RawReply => ({ status: 303, headers: { location: path, "cache-control": "no-store" } });

interface PageRequest {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly session: string | undefined;
  readonly page: Page;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

interface Refused {
  readonly content: string;
  readonly problem: Explained | string;
}

async function issuePage(deps: IssuePageDeps, request: PageRequest, index: string, refused?: Refused, beginning: CommentBeginning = {}): Promise<RawReply> {
  const { actor, repository } = request;
  const issue = await getIssue(deps, repository, index);
  if (issue.isPull) return seeOther(pullPath(repository, issue.number));
  const view = await getRepository(deps, actor, repository.id);
  const timeline = await listTimeline(deps, actor, repository, index, { sinceMs: undefined, beforeMs: undefined }, request.page);
  const [html = "", ...texts] = await renderConversation(deps, actor, repository, [
    issue.content,
    ...timeline.items.map((entry) => (entry.kind === "comment" ? entry.content : "")),
  ]);
  const reader = pageReader(request);
  const commentIds = timeline.items.flatMap(({ kind, id }) => (kind === "comment" ? id : []));
  const reacts = isUser(actor) && !repository.isArchived && canCommentOn(repository, issue);
  const reactionsOf = shownReactions(await countedReactions(deps, actor, issue, commentIds), {
    action: reacts ? changePath(repository, issue, "reactions") : undefined,
    formToken: reader.viewer?.formToken,
  });
  const props = {
    repository,
    issue,
    html,
    reactions: reactionsOf(undefined),
    entries: timeline.items.map((entry, at) => ({
      entry,
      html: entry.kind === "comment" ? texts[at] : undefined,
      isEditable: !repository.isArchived && editsComment(actor, repository, entry),
      reactions: entry.kind === "comment" ? reactionsOf(entry.id) : undefined,
    })),
    page: request.page,
    total: (request.page.page - 1) * request.page.limit + timeline.items.length + (timeline.items.length === request.page.limit ? 1 : 0),
    formToken: reader.viewer?.formToken,
    canComment: reacts,
    isArchived: repository.isArchived,
    actions: textActions(repository, issue, { canComment: reacts, formToken: reader.viewer?.formToken }),
    begun: reacts ? await beginComment(deps, actor, repository, issue, beginning) : undefined,
    replies: reacts ? await listReplies(deps, actor) : [],
    canEdit: !repository.isArchived && canEditIssue(actor, repository, issue),
    side: await loadSide(deps, actor, repository, issue),
    ...(refused !== undefined && { refused }),
    now: deps.clock.now(),
  };
  const status = refused === undefined ? 200 : 422;
  const title = `${issue.title} #${issue.number}`;
  const card = articleCard(view, deps.urls, issuePath(repository, issue.number), issue.content);
  return renderRepositoryPage({ ...reader, repository: repositoryHeader(view), tab: "issues", title, heading: null, status, card }, <IssuePage {...props} />);
}
