import { stale } from "../../../../core/errors.ts";
import { parseEndOfDay, parseTime } from "../../../../core/time.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { repository } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { Moved } from "../../../../http/authorize.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { CreateIssueOption, EditIssueOption, Issue, TransferIssueOption } from "../../../../wire/issue.ts";
import { createIssuePresenter } from "../present.ts";
import { namedOrders, readListQuery } from "../search/api/list-query.ts";
import { listIssues } from "../search/service/list.ts";
import { createIssue, type NewIssueInput } from "../service/create.ts";
import { removeIssue } from "../service/delete.ts";
import { editIssue, type IssueEdit } from "../service/edit.ts";
import { getIssue } from "../service/find.ts";
import { readOrFollow, transferIssue } from "../transfer/service.ts";

export interface IssueApiDeps {
  readonly db: Db;
  readonly urls: Urls;
}

/** A signed-in user who reads the repository; the service authorizes access to the issue. */
export const issueActor = repository.signedIn({ archived: "refused" });

/** Issues, and pull requests in their role as issues. */
export function issueRoutes(deps: IssueApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "issueListIssues",
      method: "GET",
      path: "/repos/{owner}/{repo}/issues",
      tag: "issue",
      summary: "List the issues and pull requests of a repository",
      access: repository.visible,
      scope: "issue",
      query: {
        state: query.text("Defaults to open", ["closed", "open", "all"]),
        labels: query.commaSeparated("Comma-separated label names; only issues with all of them"),
        q: query.text("Words that each occur in the title, the text or a comment"),
        type: query.text("Both by default", ["issues", "pulls"]),
        milestones: query.commaSeparated("Comma-separated milestone titles or ids; only issues with one of them"),
        since: query.time("Only issues updated at or after this time"),
        before: query.time("Only issues updated at or before this time"),
        created_by: query.text("Only issues opened by this user"),
        assigned_by: query.text("Only issues assigned to this user"),
        mentioned_by: query.text("Only issues that mention this user"),
        sort: query.text("Sort order; newest first by default", Object.keys(namedOrders)),
      },
      answers: list(Issue, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, query, page }) => {
        const wanted = { ...readListQuery(query), assignedTo: query.assigned_by ?? "", mentions: query.mentioned_by ?? "" };
        const { items, total } = await listIssues(deps, repository, wanted, page);
        return { items: items.map(createIssuePresenter(actor, urls).issue), total };
      },
    }),
    defineRoute({
      id: "issueCreateIssue",
      method: "POST",
      path: "/repos/{owner}/{repo}/issues",
      tag: "issue",
      summary: "Create an issue; labels, milestone, assignees and due date require write access to issues",
      access: issueActor,
      scope: "issue",
      body: CreateIssueOption,
      answers: json(201, Issue),
      refusals: { 403: "forbidden", 404: "notFound", 412: "error", 422: "validationError", 423: "repoArchivedError" },
      handle: async ({ actor, repository, body }) => createIssuePresenter(actor, urls).issue(await createIssue(deps, actor, repository, readNewIssue(body))),
    }),
    defineRoute({
      id: "issueGetIssue",
      method: "GET",
      path: "/repos/{owner}/{repo}/issues/{index}",
      tag: "issue",
      summary: "Get an issue or pull request",
      access: repository.visible,
      scope: "issue",
      answers: json(200, Issue),
      refusals: { 307: "redirect", 404: "notFound" },
      handle: async (request) => {
        const { actor, repository, params } = request;
        const read = await readOrFollow(deps, request, () => getIssue(deps, repository, params.index));
        if ("movedTo" in read) throw new Moved(read.movedTo, 307);
        return createIssuePresenter(actor, urls).issue(read.found);
      },
    }),
    defineRoute({
      id: "issueEditIssue",
      method: "PATCH",
      path: "/repos/{owner}/{repo}/issues/{index}",
      tag: "issue",
      summary: "Edit, close or reopen an issue; omitted fields stay unchanged",
      access: issueActor,
      scope: "issue",
      body: EditIssueOption,
      answers: json(201, Issue),
      refusals: { 400: "error", 403: "forbidden", 404: "notFound", 409: "conflict", 412: "error" },
      handle: async ({ actor, repository, params, body }) =>
        createIssuePresenter(actor, urls).issue(await editIssue(deps, actor, repository, params.index, readEdit(body))),
    }),
    defineRoute({
      id: "issueTransfer",
      method: "POST",
      path: "/repos/{owner}/{repo}/issues/{index}/transfer",
      tag: "issue",
      summary: "Transfer an issue to another repository",
      access: issueActor,
      scope: "issue",
      body: TransferIssueOption,
      answers: json(201, Issue),
      refusals: { 403: "forbidden", 404: "notFound", 409: "conflict", 422: "validationError" },
      handle: async ({ actor, repository, params, body }) =>
        createIssuePresenter(actor, urls).issue(await transferIssue(deps, actor, repository, params.index, body.repository)),
    }),
    defineRoute({
      id: "issueDelete",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/issues/{index}",
      tag: "issue",
      summary: "Delete an issue with its comments and attachments",
      access: repository.admin(),
      scope: "issue",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ actor, repository, params }) => removeIssue(deps, actor, repository, params.index),
    }),
  ];
}

const readNewIssue = (body: CreateIssueOption): NewIssueInput => ({
  title: body.title,
  content: body.body,
  ref: body.ref,
  isClosed: body.closed,
  plan: {
    labelIds: body.labels ?? [],
    // @compat only later changes leave one label of an exclusive scope (issues/api/issues.test.ts)
    sharesScopes: true,
    milestoneId: body.milestone,
    assignees: [...(body.assignees ?? []), ...(body.assignee === "" ? [] : [body.assignee])],
    deadlineMs: body.due_date === null ? null : (parseTime(body.due_date) ?? null),
  },
});

/** @throws ForgeError `stale` for an unknown state */
function readEdit(body: EditIssueOption): IssueEdit {
  if (body.state !== null && body.state !== "open" && body.state !== "closed") throw stale(`unknown state: ${body.state}`);
  return {
    title: body.title === "" ? null : body.title,
    content: body.body,
    contentVersion: body.content_version,
    ref: body.ref,
    isClosed: body.state === null ? null : body.state === "closed",
    assignees: readAssignees(body),
    milestoneId: body.milestone,
    timeEstimateSeconds: body.time_estimate,
    deadline: body.unset_due_date === true ? { ms: null } : body.due_date === null ? null : { ms: parseEndOfDay(body.due_date) ?? null },
  };
}

/** Either field replaces all assignees; an empty name or list removes them. */
function readAssignees({ assignee, assignees }: EditIssueOption): readonly string[] | null {
  if (assignee === null && assignees === null) return null;
  return [...(assignees ?? []), ...(assignee === null || assignee === "" ? [] : [assignee])];
}
