import type { FormerIssue, IssueEvent } from "../../../../events/issue-events.ts";
import type { Issue } from "../../../../wire/issue.ts";
import type { IssueLocation, IssueRow } from "../../../collaboration/issues/model.ts";
import { createIssuePresenter } from "../../../collaboration/issues/present.ts";
import { loadIssuesInOrder, loadIssueViews, onlyLocation } from "../../../collaboration/issues/service/loaders.ts";
import type { ToCompose } from "../service/compose.ts";
import type { ComposeDeps, PayloadContext } from "./payload-context.ts";

export const placeOf = ({ view }: PayloadContext): IssueLocation => ({ id: view.id, name: view.name, ownerId: view.owner.id, ownerName: view.owner.name });

/** The current issue, or the recorded data of one deleted since. */
export async function presentIssue(deps: ComposeDeps, context: PayloadContext, { eventPayload, actorId, createdMs }: AboutIssue): Promise<Issue> {
  const place = onlyLocation(placeOf(context));
  const [present] = await loadIssuesInOrder(deps, [eventPayload.issueId], place);
  const [view] = present === undefined ? await loadIssueViews(deps, [formerIssue(eventPayload, actorId, createdMs)], place) : [present];
  if (view === undefined) throw new Error("a located issue has a view");
  return createIssuePresenter(context.viewer, deps.urls).issue(view);
}

export type AboutIssue = Pick<ToCompose, "actorId" | "createdMs"> & { readonly eventPayload: IssueEvent & { readonly former?: FormerIssue } };

const formerIssue = ({ issueId, repoId, number, isPull, title, former }: AboutIssue["eventPayload"], posterId: number | null, createdMs: number): IssueRow => ({
  posterId,
  content: "",
  isClosed: false,
  closedMs: null,
  mergedMs: null,
  closeReason: "",
  milestoneId: null,
  deadlineMs: null,
  isLocked: false,
  ref: "",
  commentsCount: 0,
  originalAuthor: "",
  originalAuthorId: 0,
  createdMs,
  updatedMs: createdMs,
  labelIds: [],
  assigneeIds: [],
  ...former,
  id: issueId,
  repoId,
  number,
  isPull,
  title,
  contentVersion: 0,
  timeEstimateSeconds: 0,
  pinOrder: 0,
  attachmentsCount: 0,
});
