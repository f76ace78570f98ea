import type { Actor, UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Paged } from "../../../../core/paging.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { repository } from "../../../../http/access.ts";
import { empty, type Listed, list, variant } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { EditReactionOption, Reaction } from "../../../../wire/reaction.ts";
import { issueActor } from "../api/issues.ts";
import type { ReactionView } from "../model.ts";
import { createIssuePresenter } from "../present.ts";
import { addReaction, listReactions, type ReactionSubject, removeReaction } from "./service.ts";

interface ReactionRequest {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
  readonly body: EditReactionOption;
}

/** Reactions to issues and comments. */
export function reactionRoutes(deps: { readonly db: Db; readonly urls: Urls }): Route[] {
  const { urls } = deps;
  const common = { tag: "issue", scope: "issue", refusals: { 403: "forbidden", 404: "notFound" } } as const;
  const removing = { ...common, access: issueActor, body: EditReactionOption, answers: empty() } as const;
  const adding = { ...removing, answers: variant([200, 201], Reaction) } as const;
  const add = async ({ actor, repository, body }: ReactionRequest, subject: ReactionSubject) => {
    const { reaction, isNew } = await addReaction(deps, actor, repository, subject, body.content);
    return { status: isNew ? 201 : 200, body: createIssuePresenter(actor, urls).reaction(reaction) } as const;
  };
  // @compat Gitea sends null for a list without reactions (conversation/discussion.test.ts)
  const show = (actor: Actor, { items, total }: Paged<ReactionView>): Listed<Reaction> => ({
    items: items.length === 0 ? null : items.map(createIssuePresenter(actor, urls).reaction),
    total,
  });
  const ofIssue = "/repos/{owner}/{repo}/issues/{index}/reactions";
  const ofComment = "/repos/{owner}/{repo}/issues/comments/{id}/reactions";
  return [
    defineRoute({
      id: "issueGetIssueReactions",
      method: "GET",
      path: ofIssue,
      ...common,
      summary: "List the reactions to an issue",
      access: repository.visible,
      answers: { ...list(Reaction, "total"), isNullable: true },
      handle: async ({ actor, repository, params, page }) => {
        return show(actor, await listReactions(deps, repository, { number: params.index }, page));
      },
    }),
    defineRoute({
      ...adding,
      id: "issuePostIssueReaction",
      method: "POST",
      path: ofIssue,
      summary: "Add a reaction to an issue",
      handle: (request) => add(request, { number: request.params.index }),
    }),
    defineRoute({
      ...removing,
      id: "issueDeleteIssueReaction",
      method: "DELETE",
      path: ofIssue,
      summary: "Remove a reaction from an issue",
      handle: ({ actor, repository, params, body }) => removeReaction(deps, actor, repository, { number: params.index }, body.content),
    }),
    defineRoute({
      id: "issueGetCommentReactions",
      method: "GET",
      path: ofComment,
      ...common,
      summary: "List the reactions to a comment",
      access: repository.visible,
      answers: { ...list(Reaction, "none"), isNullable: true },
      handle: async ({ actor, repository, params }) => {
        return show(actor, await listReactions(deps, repository, { commentId: params.id }));
      },
    }),
    defineRoute({
      ...adding,
      id: "issuePostCommentReaction",
      method: "POST",
      path: ofComment,
      summary: "Add a reaction to a comment",
      handle: (request) => add(request, { commentId: request.params.id }),
    }),
    defineRoute({
      ...removing,
      id: "issueDeleteCommentReaction",
      method: "DELETE",
      path: ofComment,
      summary: "Remove a reaction from a comment",
      handle: ({ actor, repository, params, body }) => removeReaction(deps, actor, repository, { commentId: params.id }, body.content),
    }),
  ];
}
