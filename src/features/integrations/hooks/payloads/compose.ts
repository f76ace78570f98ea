import type { HookedEvent } from "../messages.ts";
import type { Compose, ToCompose } from "../service/compose.ts";
import { composeComment, composeIssue, composeRetarget } from "./issues.ts";
import { composeRelease, composeWiki } from "./pages.ts";
import type { ComposeDeps, HookPayload } from "./payload-context.ts";
import { composeHead, composeReview, composeReviewRequest } from "./pulls.ts";
import { composeRef, composeStatus, composeTest } from "./refs.ts";
import { composeFork, composeRepository } from "./repositories.ts";
import { composeWorkflow } from "./workflows.ts";

type Composers = { readonly [Type in HookedEvent]: (deps: ComposeDeps, message: HookPayload<Type>) => Promise<object | undefined> };

/** The payload composers of all webhook events. */
const composers: Composers = {
  "refs.changed": composeRef,
  "repo.created": composeRepository,
  "repo.deleted": composeRepository,
  "repo.forked": composeFork,
  "status.created": composeStatus,
  "issue.created": composeIssue,
  "issue.edited": composeIssue,
  "issue.closed": composeIssue,
  "issue.reopened": composeIssue,
  "issue.deleted": composeIssue,
  "issue.transferred": composeIssue,
  "issue.received": composeIssue,
  "issue.assigned": composeIssue,
  "issue.unassigned": composeIssue,
  "issue.labels_changed": composeIssue,
  "issue.milestone_changed": composeIssue,
  "comment.created": composeComment,
  "comment.edited": composeComment,
  "comment.deleted": composeComment,
  "pull.merged": composeHead,
  "pull.retargeted": composeRetarget,
  "pull.synchronized": composeHead,
  "review.requested": composeReviewRequest,
  "review.request_removed": composeReviewRequest,
  "review.submitted": composeReview,
  "release.published": composeRelease,
  "release.updated": composeRelease,
  "release.deleted": composeRelease,
  "wiki.created": composeWiki,
  "wiki.edited": composeWiki,
  "wiki.deleted": composeWiki,
  "workflow_run.changed": composeWorkflow,
  "workflow_job.changed": composeWorkflow,
};

const isHooked = (type: string): type is HookedEvent => Object.hasOwn(composers, type);

export const composeWith =
  (deps: ComposeDeps): Compose =>
  (message) => {
    if (!isHooked(message.type)) return composeTest(deps, message);
    const compose = composers[message.type] as (deps: ComposeDeps, message: ToCompose) => Promise<object | undefined>;
    return compose(deps, message);
  };
