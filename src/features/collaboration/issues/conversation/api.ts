import type { Actor } from "../../../../access/actor.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { repository } from "../../../../http/access.ts";
import { empty, envelope, json, list, variant } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { Comment, CreateIssueCommentOption, EditIssueCommentOption, TimelineComment } from "../../../../wire/comment.ts";
import { list as listOf } from "../../../../wire/schema.ts";
import { issueActor } from "../api/issues.ts";
import type { CommentView } from "../model.ts";
import { createIssuePresenter } from "../present.ts";
import { createComment, editComment, getComment, listComments, listRepositoryComments, removeComment } from "./service/comments.ts";
import { listTimeline } from "./service/timeline.ts";

const since = query.time("Only entries changed at or after this time");
const before = query.time("Only entries changed at or before this time");
/** The API document's name for `since`. */
const string = query.time("Alias of `since`");

const allComments = listOf(Comment);

/** Comments on issues and pull requests. */
export function commentRoutes(deps: { readonly db: Db; readonly urls: Urls }): Route[] {
  const { urls } = deps;
  const shown = (view: CommentView | undefined, actor: Actor) =>
    view === undefined ? { status: 204, body: undefined } : { status: 200, body: createIssuePresenter(actor, urls).comment(view) };
  return [
    defineRoute({
      id: "issueGetComments",
      method: "GET",
      path: "/repos/{owner}/{repo}/issues/{index}/comments",
      aliasId: "issueGetCommentsAlias",
      tag: "issue",
      summary: "List the comments on an issue, oldest first",
      access: repository.visible,
      scope: "issue",
      query: { since, before, string },
      // @compat not paginated (conversation/discussion.test.ts)
      answers: envelope(allComments, "own"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, params, query }) => {
        const comments = await listComments(deps, repository, params.index, { sinceMs: query.since ?? query.string, beforeMs: query.before });
        return { body: comments.map(createIssuePresenter(actor, urls).comment), total: comments.length };
      },
    }),
    defineRoute({
      id: "issueGetRepoComments",
      method: "GET",
      path: "/repos/{owner}/{repo}/issues/comments",
      tag: "issue",
      summary: "List the comments on all issues of a repository",
      access: repository.visible,
      scope: "issue",
      query: { since, before, string },
      answers: list(Comment, "total"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, query, page }) => {
        const range = { sinceMs: query.since ?? query.string, beforeMs: query.before };
        const { items, total } = await listRepositoryComments(deps, repository, range, page);
        return { items: items.map(createIssuePresenter(actor, urls).comment), total };
      },
    }),
    defineRoute({
      id: "issueGetCommentsAndTimeline",
      method: "GET",
      path: "/repos/{owner}/{repo}/issues/{index}/timeline",
      tag: "issue",
      summary: "List the timeline of an issue, comments and events, oldest first",
      access: repository.visible,
      scope: "issue",
      query: { since, before },
      answers: { ...list(TimelineComment, "total"), isNullable: true },
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, params, query, page }) => {
        const range = { sinceMs: query.since, beforeMs: query.before };
        const { items, total } = await listTimeline(deps, actor, repository, params.index, range, page);
        // @compat Gitea sends null for an empty timeline (conversation/discussion.test.ts)
        return { items: items.length === 0 ? null : items.map(createIssuePresenter(actor, urls).timeline), total };
      },
    }),
    defineRoute({
      id: "issueGetComment",
      method: "GET",
      path: "/repos/{owner}/{repo}/issues/comments/{id}",
      tag: "issue",
      summary: "Get a comment; other timeline entries return no content",
      access: repository.visible,
      scope: "issue",
      answers: variant([200], Comment),
      refusals: { 204: "empty", 403: "forbidden", 404: "notFound" },
      handle: async ({ actor, repository, params }) => shown(await getComment(deps, repository, params.id), actor),
    }),
    defineRoute({
      id: "issueCreateComment",
      method: "POST",
      path: "/repos/{owner}/{repo}/issues/{index}/comments",
      tag: "issue",
      summary: "Comment on an issue",
      access: issueActor,
      scope: "issue",
      body: CreateIssueCommentOption,
      answers: json(201, Comment),
      refusals: { 403: "forbidden", 404: "notFound", 423: "repoArchivedError" },
      handle: async ({ actor, repository, params, body }) =>
        createIssuePresenter(actor, urls).comment(await createComment(deps, actor, repository, params.index, body.body)),
    }),
    defineRoute({
      id: "issueEditComment",
      method: "PATCH",
      path: "/repos/{owner}/{repo}/issues/comments/{id}",
      tag: "issue",
      summary: "Edit a comment; other timeline entries stay unchanged",
      access: issueActor,
      scope: "issue",
      body: EditIssueCommentOption,
      answers: variant([200], Comment),
      refusals: { 204: "empty", 403: "forbidden", 404: "notFound", 423: "repoArchivedError" },
      handle: async ({ actor, repository, params, body }) => shown(await editComment(deps, actor, repository, params.id, body.body), actor),
    }),
    defineRoute({
      id: "issueEditCommentDeprecated",
      method: "PATCH",
      path: "/repos/{owner}/{repo}/issues/{index}/comments/{id}",
      tag: "issue",
      summary: "Alias; the issue number is ignored",
      isDeprecated: true,
      access: issueActor,
      scope: "issue",
      body: EditIssueCommentOption,
      answers: variant([200], Comment),
      refusals: { 204: "empty", 403: "forbidden", 404: "notFound" },
      handle: async ({ actor, repository, params, body }) => shown(await editComment(deps, actor, repository, params.id, body.body), actor),
    }),
    defineRoute({
      id: "issueDeleteComment",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/issues/comments/{id}",
      tag: "issue",
      summary: "Delete a comment",
      access: issueActor,
      scope: "issue",
      answers: empty(),
      refusals: { 400: "error", 403: "forbidden", 404: "notFound" },
      handle: ({ actor, repository, params }) => removeComment(deps, actor, repository, params.id),
    }),
    defineRoute({
      id: "issueDeleteCommentDeprecated",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/issues/{index}/comments/{id}",
      tag: "issue",
      summary: "Alias; the issue number is ignored",
      isDeprecated: true,
      access: issueActor,
      scope: "issue",
      answers: empty(),
      refusals: { 400: "error", 403: "forbidden", 404: "notFound" },
      handle: ({ actor, repository, params }) => removeComment(deps, actor, repository, params.id),
    }),
  ];
}
