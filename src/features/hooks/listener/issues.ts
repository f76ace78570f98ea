import type { EventType } from "../../../events/events.ts";
import type { IssueChanges } from "../../../events/issue-events.ts";
import { createIssuePresenter } from "../../issues/present.ts";
import { loadCommentsInOrder, loadIssuesInOrder, onePlace } from "../../issues/service/views.ts";
import type { IssuePlace } from "../../issues/view.ts";
import { composePull, presentPull } from "./pulls.ts";
import { type ComposeDeps, loadScene, type Scene, type Told } from "./scene.ts";

type IssueMessage = Told<
  | "issue.created"
  | "issue.edited"
  | "issue.closed"
  | "issue.reopened"
  | "issue.deleted"
  | "issue.assigned"
  | "issue.unassigned"
  | "issue.labels_changed"
  | "issue.milestone_changed"
>;

const actions: Readonly<Partial<Record<EventType, string>>> = {
  "issue.created": "opened",
  "issue.edited": "edited",
  "issue.closed": "closed",
  "issue.reopened": "reopened",
  "issue.deleted": "deleted",
  "issue.assigned": "assigned",
  "issue.unassigned": "unassigned",
};

function actionOf({ type, facts }: IssueMessage): string {
  if ("isCleared" in facts) return facts.isCleared ? "label_cleared" : "label_updated";
  if ("milestoneId" in facts) return facts.milestoneId === null ? "demilestoned" : "milestoned";
  return actions[type as EventType] ?? "";
}

/** @compat what did not change is null or absent */
export function presentChanges({ formerTitle, formerContent, formerRef }: IssueChanges): object {
  return {
    ...(formerTitle !== undefined && { title: { from: formerTitle } }),
    ...(formerContent !== undefined && { body: { from: formerContent } }),
    ...(formerRef !== undefined && { ref: { from: formerRef } }),
    added_labels: null,
    removed_labels: null,
  };
}

export async function composeIssue(deps: ComposeDeps, message: IssueMessage): Promise<object | undefined> {
  const { facts, type } = message;
  const scene = await loadScene(deps, message);
  if (scene === undefined) return undefined;
  const action = actionOf(message);
  const changes = type === "issue.edited" ? { changes: presentChanges(facts as IssueChanges) } : {};
  if (facts.isPull) return composePull(deps, scene, facts.number, action, changes);
  const issue = await presentIssue(deps, scene, facts.issueId);
  if (issue === undefined) return undefined;
  const { repository, sender } = scene;
  return { action, number: facts.number, ...changes, issue, repository, sender, commit_id: "commitOid" in facts ? facts.commitOid : "" };
}

const placeOf = ({ view }: Scene): IssuePlace => ({ id: view.id, name: view.name, ownerId: view.owner.id, ownerName: view.owner.name });

async function presentIssue(deps: ComposeDeps, scene: Scene, id: number) {
  const [view] = await loadIssuesInOrder(deps, [id], onePlace(placeOf(scene)));
  return view && createIssuePresenter(scene.viewer, deps.urls).issue(view);
}

export async function composeComment(deps: ComposeDeps, message: Told<"comment.created" | "comment.edited" | "comment.deleted">): Promise<object | undefined> {
  const { facts, type } = message;
  const scene = await loadScene(deps, message);
  const issue = scene && (await presentIssue(deps, scene, facts.issueId));
  if (scene === undefined || issue === undefined) return undefined;
  const [view] = await loadCommentsInOrder(deps, [facts.commentId], onePlace(placeOf(scene)));
  const comment = view && createIssuePresenter(scene.viewer, deps.urls).comment(view);
  if (comment === undefined) return undefined;
  const { repository, sender } = scene;
  return {
    action: type.slice("comment.".length),
    issue,
    ...(facts.isPull && { pull_request: await presentPull(deps, scene, facts.number) }),
    comment,
    ...("formerContent" in facts && { changes: presentChanges(facts) }),
    repository,
    sender,
    is_pull: facts.isPull,
  };
}
