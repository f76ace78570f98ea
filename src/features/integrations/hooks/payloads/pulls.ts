import { operator } from "../../../../access/actor.ts";
import { isForgeError } from "../../../../core/errors.ts";
import type { PullRequest } from "../../../../wire/pull-request.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import { createPullPresenter, withFormerCounts } from "../../../collaboration/pulls/present.ts";
import { getPull } from "../../../collaboration/pulls/service/find.ts";
import { findRepositoryById } from "../../../repositories/repos/service/find.ts";
import { type AboutIssue, presentIssue } from "./issue-views.ts";
import { type ComposeDeps, type HookPayload, loadPayloadContext, type PayloadContext, presentPlainly } from "./payload-context.ts";

export async function presentPull(
  deps: ComposeDeps,
  { view, viewer }: PayloadContext,
  number: number,
  { isNew = false }: { readonly isNew?: boolean } = {},
): Promise<PullRequest | undefined> {
  try {
    const repository = await findRepositoryById(deps, view.id, operator);
    const pull = await getPull(deps, { actor: operator, repository }, number);
    return createPullPresenter(viewer, deps.urls, { isList: false })(isNew ? withFormerCounts(pull) : pull);
  } catch (error) {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  }
}

/** A pull request and its event. For one deleted since, the recorded issue data. */
export async function composePull(deps: ComposeDeps, context: PayloadContext, message: AboutIssue, action: string, more: object = {}): Promise<object> {
  const { number } = message.eventPayload;
  const isNew = action === "opened";
  const pull = (await presentPull(deps, context, number, { isNew })) ?? (await presentIssue(deps, context, message));
  const { sender } = context;
  const repository = isNew ? { ...context.repository, open_pr_counter: Math.max(context.repository.open_pr_counter - 1, 0) } : context.repository;
  const { changes, ...others } = more as { readonly changes?: object };
  return {
    action,
    number,
    ...(changes && { changes }),
    pull_request: pull,
    requested_reviewer: null,
    repository,
    sender,
    commit_id: "",
    review: null,
    ...others,
  };
}

const actions = { "pull.merged": "closed", "pull.synchronized": "synchronized" } as const;

export async function composeHead(deps: ComposeDeps, message: HookPayload<"pull.merged" | "pull.synchronized">): Promise<object | undefined> {
  const context = await loadPayloadContext(deps, message);
  return context && composePull(deps, context, message, actions[message.type as keyof typeof actions]);
}

export async function composeReviewRequest(
  deps: ComposeDeps,
  message: HookPayload<"review.requested" | "review.request_removed">,
): Promise<object | undefined> {
  const { eventPayload, type } = message;
  const context = await loadPayloadContext(deps, message);
  if (context === undefined) return undefined;
  const reviewer = eventPayload.reviewerId === null ? undefined : (await loadUsers(deps, [eventPayload.reviewerId])).get(eventPayload.reviewerId);
  const action = type === "review.requested" ? "review_requested" : "review_request_removed";
  return composePull(deps, context, message, action, { requested_reviewer: reviewer === undefined ? null : presentPlainly(reviewer, deps.urls) });
}

/** @compat Gitea also lists the reviewer as the requested reviewer (payloads.test.ts) */
export async function composeReview(deps: ComposeDeps, message: HookPayload<"review.submitted">): Promise<object | undefined> {
  const context = await loadPayloadContext(deps, message);
  const review = { type: message.eventType, content: message.eventPayload.content };
  return context && composePull(deps, context, message, "reviewed", { requested_reviewer: context.sender, review });
}
