import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { repository } from "../../../../http/access.ts";
import { empty, list, variant } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { EditReactionOption, Reaction } from "../../../../wire/reaction.ts";
import { issueActor } from "../api/issues.ts";
import { createIssuePresenter } from "../present.ts";
import { addReaction, listReactions, removeReaction } from "./service.ts";

/** Reactions to issues and comments. */
export function reactionRoutes(deps: { readonly db: Db; readonly urls: Urls }): Route[] {
  const { urls } = deps;
  const refusals = { 403: "forbidden", 404: "notFound" } as const;
  const ofIssue = "/repos/{owner}/{repo}/issues/{index}/reactions";
  const ofComment = "/repos/{owner}/{repo}/issues/comments/{id}/reactions";
  return [
    defineRoute({
      id: "issueGetIssueReactions",
      method: "GET",
      path: ofIssue,
      tag: "issue",
      summary: "List the reactions to an issue",
      access: repository.visible,
      scope: "issue",
      answers: list(Reaction, "total"),
      refusals,
      handle: async ({ actor, repository, params, page }) => {
        const { items, total } = await listReactions(deps, repository, { number: params.index }, page);
        return { items: items.map(createIssuePresenter(actor, urls).reaction), total };
      },
    }),
    defineRoute({
      id: "issuePostIssueReaction",
      method: "POST",
      path: ofIssue,
      tag: "issue",
      summary: "Add a reaction to an issue",
      access: issueActor,
      scope: "issue",
      body: EditReactionOption,
      answers: variant([200, 201], Reaction),
      refusals,
      handle: async ({ actor, repository, params, body }) => {
        const { reaction, isNew } = await addReaction(deps, actor, repository, { number: params.index }, body.content);
        return { status: isNew ? 201 : 200, body: createIssuePresenter(actor, urls).reaction(reaction) };
      },
    }),
    defineRoute({
      id: "issueDeleteIssueReaction",
      method: "DELETE",
      path: ofIssue,
      tag: "issue",
      summary: "Remove a reaction from an issue",
      access: issueActor,
      scope: "issue",
      body: EditReactionOption,
      answers: empty(),
      refusals,
      handle: ({ actor, repository, params, body }) => removeReaction(deps, actor, repository, { number: params.index }, body.content),
    }),
    defineRoute({
      id: "issueGetCommentReactions",
      method: "GET",
      path: ofComment,
      tag: "issue",
      summary: "List the reactions to a comment",
      access: repository.visible,
      scope: "issue",
      answers: list(Reaction, "none"),
      refusals,
      handle: async ({ actor, repository, params }) => {
        const { items, total } = await listReactions(deps, repository, { commentId: params.id });
        return { items: items.map(createIssuePresenter(actor, urls).reaction), total };
      },
    }),
    defineRoute({
      id: "issuePostCommentReaction",
      method: "POST",
      path: ofComment,
      tag: "issue",
      summary: "Add a reaction to a comment",
      access: issueActor,
      scope: "issue",
      body: EditReactionOption,
      answers: variant([200, 201], Reaction),
      refusals,
      handle: async ({ actor, repository, params, body }) => {
        const { reaction, isNew } = await addReaction(deps, actor, repository, { commentId: params.id }, body.content);
        return { status: isNew ? 201 : 200, body: createIssuePresenter(actor, urls).reaction(reaction) };
      },
    }),
    defineRoute({
      id: "issueDeleteCommentReaction",
      method: "DELETE",
      path: ofComment,
      tag: "issue",
      summary: "Remove a reaction from a comment",
      access: issueActor,
      scope: "issue",
      body: EditReactionOption,
      answers: empty(),
      refusals,
      handle: ({ actor, repository, params, body }) => removeReaction(deps, actor, repository, { commentId: params.id }, body.content),
    }),
  ];
}
