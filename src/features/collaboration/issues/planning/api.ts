import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { malformed } from "../../../../core/errors.ts";
import { readId } from "../../../../core/ids.ts";
import { epochTime, formatTime, parseEndOfDay } from "../../../../core/time.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { repository } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { EditDeadlineOption, Issue, IssueDeadline, IssueLabelsOption, LockIssueOption, NewIssuePinsAllowed } from "../../../../wire/issue.ts";
import { Label } from "../../../../wire/label.ts";
import { presentLabel } from "../../labels/present.ts";
import { issueActor } from "../api/issues.ts";
import { createIssuePresenter } from "../present.ts";
import { listPinned, mayPinMore, movePin, pinIssue, unpinIssue } from "./service/pins.ts";
import { clearLabels, type LabelInput, listIssueLabels, putDeadline, putLabels, removeLabel, setLocked } from "./service/plan.ts";

interface PlanApiDeps {
  readonly db: Db;
  readonly urls: Urls;
}

const moderator = repository.admin({ archived: "refused" });

/** Labels, due dates, locks and pins of issues. */
export const issuePlanRoutes = (deps: PlanApiDeps): Route[] => [...labelRoutes(deps), ...deadlineAndLockRoutes(deps), ...pinRoutes(deps)];

interface LabelsRequest {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
  readonly params: { readonly index: string };
  readonly body: IssueLabelsOption;
}

function labelRoutes(deps: PlanApiDeps): Route[] {
  const { urls } = deps;
  const labels = "/repos/{owner}/{repo}/issues/{index}/labels";
  const refusals = { 403: "forbidden", 404: "notFound" } as const;
  const putting = {
    path: labels,
    tag: "issue",
    access: issueActor,
    scope: "issue",
    body: IssueLabelsOption,
    answers: list(Label, "none"),
    refusals: { ...refusals, 400: "error" },
  } as const;
  const put = async ({ actor, repository, params, body }: LabelsRequest, mode: "add" | "replace") => {
    const after = await putLabels(deps, actor, repository, params.index, readLabels(body), mode);
    return whole(after.map((one) => presentLabel(one, repository, urls)));
  };
  return [
    defineRoute({
      id: "issueGetLabels",
      method: "GET",
      path: labels,
      tag: "issue",
      summary: "List the labels of an issue, sorted by name",
      access: repository.visible,
      scope: "issue",
      answers: list(Label, "none"),
      refusals: { 404: "notFound" },
      handle: async ({ repository, params }) =>
        whole((await listIssueLabels(deps, repository, params.index)).map((one) => presentLabel(one, repository, urls))),
    }),
    defineRoute({
      ...putting,
      id: "issueAddLabel",
      method: "POST",
      aliasId: "issueAddLabelAlias",
      summary: "Add labels to an issue, by id or name",
      handle: (request) => put(request, "add"),
    }),
    defineRoute({
      ...putting,
      id: "issueReplaceLabels",
      method: "PUT",
      aliasId: "issueReplaceLabelsAlias",
      summary: "Replace the labels of an issue, by id or name",
      handle: (request) => put(request, "replace"),
    }),
    defineRoute({
      id: "issueClearLabels",
      method: "DELETE",
      path: labels,
      aliasId: "issueClearLabelsAlias",
      tag: "issue",
      summary: "Remove all labels from an issue",
      access: issueActor,
      scope: "issue",
      answers: empty(),
      refusals,
      handle: ({ actor, repository, params }) => clearLabels(deps, actor, repository, params.index),
    }),
    defineRoute({
      id: "issueRemoveLabel",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/issues/{index}/labels/{id}",
      aliasId: "issueRemoveLabelAlias",
      tag: "issue",
      summary: "Remove a label from an issue",
      access: issueActor,
      scope: "issue",
      answers: empty(),
      refusals: { ...refusals, 422: "validationError" },
      handle: ({ actor, repository, params }) => removeLabel(deps, actor, repository, params.index, readId(params.id)),
    }),
  ];
}

const whole = <T>(items: readonly T[]) => ({ items, total: items.length });

/** @throws ForgeError `malformed` for a mix of ids and names, and for other types */
function readLabels({ labels }: IssueLabelsOption): LabelInput {
  const ids = (labels ?? []).filter((label): label is number => Number.isSafeInteger(label));
  const names = (labels ?? []).filter((label): label is string => typeof label === "string");
  const given = labels?.length ?? 0;
  if (ids.length === given) return { ids };
  if (names.length === given) return { names };
  throw malformed(ids.length + names.length === given ? "labels should be an array of strings or integers" : "a label must be an integer or a string");
}

function deadlineAndLockRoutes(deps: PlanApiDeps): Route[] {
  return [
    defineRoute({
      id: "issueEditIssueDeadline",
      method: "POST",
      path: "/repos/{owner}/{repo}/issues/{index}/deadline",
      tag: "issue",
      summary: "Set the due date of an issue to the end of a day; null removes it",
      access: issueActor,
      scope: "issue",
      body: EditDeadlineOption,
      answers: json(201, IssueDeadline),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: async ({ actor, repository, params, body }) => {
        const deadlineMs = body.due_date === null ? null : (parseEndOfDay(body.due_date) ?? null);
        await putDeadline(deps, actor, repository, params.index, deadlineMs);
        // @compat an issue without a due date returns the epoch (conversation/discussion.test.ts)
        return { due_date: deadlineMs === null ? epochTime : formatTime(deadlineMs) };
      },
    }),
    defineRoute({
      id: "issueLockIssue",
      method: "PUT",
      path: "/repos/{owner}/{repo}/issues/{index}/lock",
      tag: "issue",
      summary: "Lock an issue for everyone without write access to issues",
      access: moderator,
      scope: "issue",
      body: LockIssueOption,
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ actor, repository, params, body }) => setLocked(deps, actor, repository, params.index, { reason: body.lock_reason }),
    }),
    defineRoute({
      id: "issueUnlockIssue",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/issues/{index}/lock",
      tag: "issue",
      summary: "Unlock an issue",
      access: moderator,
      scope: "issue",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ actor, repository, params }) => setLocked(deps, actor, repository, params.index, undefined),
    }),
  ];
}

function pinRoutes(deps: PlanApiDeps): Route[] {
  const { urls } = deps;
  const refusals = { 403: "forbidden", 404: "notFound" } as const;
  return [
    defineRoute({
      id: "repoListPinnedIssues",
      method: "GET",
      path: "/repos/{owner}/{repo}/issues/pinned",
      tag: "repository",
      summary: "List the pinned issues of a repository in order",
      access: repository.visible,
      scope: "issue",
      answers: list(Issue, "none"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository }) => whole((await listPinned(deps, repository, { isPull: false })).map(createIssuePresenter(actor, urls).issue)),
    }),
    defineRoute({
      id: "repoNewPinAllowed",
      method: "GET",
      path: "/repos/{owner}/{repo}/new_pin_allowed",
      tag: "repository",
      summary: "Check whether another issue or pull request can be pinned",
      access: repository.visible,
      scope: "repository",
      answers: json(200, NewIssuePinsAllowed),
      refusals: { 404: "notFound" },
      handle: async ({ repository }) => {
        const { issues, pulls } = await mayPinMore(deps, repository);
        return { issues, pull_requests: pulls };
      },
    }),
    defineRoute({
      id: "pinIssue",
      method: "POST",
      path: "/repos/{owner}/{repo}/issues/{index}/pin",
      tag: "issue",
      summary: "Pin an issue after the other pinned issues",
      access: moderator,
      scope: "issue",
      answers: empty(),
      refusals: { ...refusals, 400: "error", 409: "conflict" },
      handle: ({ actor, repository, params }) => pinIssue(deps, actor, repository, params.index),
    }),
    defineRoute({
      id: "unpinIssue",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/issues/{index}/pin",
      tag: "issue",
      summary: "Unpin an issue",
      access: moderator,
      scope: "issue",
      answers: empty(),
      refusals,
      handle: ({ actor, repository, params }) => unpinIssue(deps, actor, repository, params.index),
    }),
    defineRoute({
      id: "moveIssuePin",
      method: "PATCH",
      path: "/repos/{owner}/{repo}/issues/{index}/pin/{position}",
      tag: "issue",
      summary: "Move a pinned issue to another position",
      access: moderator,
      scope: "issue",
      answers: empty(),
      refusals: { ...refusals, 400: "error" },
      handle: ({ repository, params }) => movePin(deps, repository, params.index, readId(params.position)),
    }),
  ];
}
