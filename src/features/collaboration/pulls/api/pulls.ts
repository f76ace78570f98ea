import type { Actor } from "../../../../access/actor.ts";
import { stale } from "../../../../core/errors.ts";
import { parseEndOfDay, parseTime } from "../../../../core/time.ts";
import type { Urls } from "../../../../core/urls.ts";
import { repository } from "../../../../http/access.ts";
import { json, list } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { CreatePullRequestOption, EditPullRequestOption, PullRequest } from "../../../../wire/pull-request.ts";
import type { TextDeps } from "../../../repositories/commits/service/changes-text.ts";
import type { PullView } from "../model.ts";
import { createPullPresenter, withFormerCounts } from "../present.ts";
import { getPullByBranches, getPullOfCommit } from "../service/by-branches.ts";
import { createPull, type NewPullInput } from "../service/create.ts";
import type { PullDeps } from "../service/deps.ts";
import { editPull, type PullEdit } from "../service/edit.ts";
import { getPull } from "../service/find.ts";
import { listPinnedPulls, listPulls } from "../service/list.ts";

export interface PullApiDeps extends PullDeps, TextDeps {
  readonly urls: Urls;
}

/** A signed-in user who reads the repository; the service authorizes access to the pull request. */
const pullActor = repository.signedIn({ archived: "refused" });

/** Create, list, get and edit pull requests. */
export function pullRoutes(deps: PullApiDeps): Route[] {
  const { urls } = deps;
  const show = (actor: Actor, view: PullView): PullRequest => createPullPresenter(actor, urls, { isList: false })(view);
  return [
    defineRoute({
      id: "repoListPullRequests",
      method: "GET",
      path: "/repos/{owner}/{repo}/pulls",
      tag: "repository",
      summary: "List the pull requests of a repository, newest first",
      access: repository.visible,
      scope: "repository",
      query: {
        base_branch: query.text("Only pull requests into this branch"),
        state: query.text("Defaults to open", ["open", "closed", "all"]),
        sort: query.text("Newest first by default", ["oldest", "recentupdate", "recentclose", "leastupdate", "mostcomment", "leastcomment", "priority"]),
        milestone: query.integer("Only pull requests of the milestone with this id"),
        labels: query.integers("Only pull requests with at least one of the labels with these ids"),
        poster: query.text("Only pull requests opened by this user"),
      },
      answers: list(PullRequest, "links"),
      refusals: { 400: "error", 404: "notFound" },
      handle: async ({ actor, repository, query, page, signal }) => {
        const wanted = {
          state: query.state ?? "",
          sort: query.sort ?? "",
          milestoneId: query.milestone ?? 0,
          labelIds: query.labels,
          poster: query.poster ?? "",
          baseBranch: query.base_branch ?? "",
        };
        const { items, total } = await listPulls(deps, { actor, repository, signal }, wanted, page);
        return { items: items.map(createPullPresenter(actor, urls, { isList: true })), total };
      },
    }),
    defineRoute({
      id: "repoCreatePullRequest",
      method: "POST",
      path: "/repos/{owner}/{repo}/pulls",
      tag: "repository",
      summary: "Create a pull request; labels, milestone, assignees and due date require write access to pull requests",
      access: pullActor,
      scope: "repository",
      body: CreatePullRequestOption,
      answers: json(201, PullRequest),
      refusals: { 400: "error", 403: "forbidden", 404: "notFound", 409: "error", 422: "validationError", 423: "repoArchivedError" },
      handle: async ({ actor, repository, body, signal }) =>
        show(actor, withFormerCounts(await createPull(deps, actor, repository, readNewPull(body), signal))),
    }),
    defineRoute({
      id: "repoListPinnedPullRequests",
      method: "GET",
      path: "/repos/{owner}/{repo}/pulls/pinned",
      tag: "repository",
      summary: "List the pinned pull requests of a repository in order",
      access: repository.visible,
      scope: "repository",
      answers: list(PullRequest, "none"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, signal }) => {
        const items = await listPinnedPulls(deps, { actor, repository, signal });
        return { items: items.map(createPullPresenter(actor, urls, { isList: false })), total: items.length };
      },
    }),
    defineRoute({
      id: "repoGetPullRequest",
      method: "GET",
      path: "/repos/{owner}/{repo}/pulls/{index}",
      tag: "repository",
      summary: "Get a pull request",
      access: repository.visible,
      scope: "repository",
      answers: json(200, PullRequest),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, params, signal }) => show(actor, await getPull(deps, { actor, repository, signal }, params.index)),
    }),
    defineRoute({
      id: "repoGetPullRequestByBaseHead",
      method: "GET",
      path: "/repos/{owner}/{repo}/pulls/{base}/{head+}",
      tag: "repository",
      summary: "Get the pull request from one branch into another; the head can be `user:branch`",
      access: repository.visible,
      scope: "repository",
      answers: json(200, PullRequest),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, params, signal }) =>
        show(actor, await getPullByBranches(deps, { actor, repository, signal }, params.base, params.head)),
    }),
    defineRoute({
      id: "repoGetCommitPullRequest",
      method: "GET",
      path: "/repos/{owner}/{repo}/commits/{sha+}/pull",
      tag: "repository",
      summary: "Get the pull request whose merge created a commit",
      access: repository.visible,
      scope: "repository",
      answers: json(200, PullRequest),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, params, signal }) => show(actor, await getPullOfCommit(deps, { actor, repository, signal }, params.sha)),
    }),
    defineRoute({
      id: "repoEditPullRequest",
      method: "PATCH",
      path: "/repos/{owner}/{repo}/pulls/{index}",
      tag: "repository",
      summary: "Edit, retarget, close or reopen a pull request; omitted fields stay unchanged",
      access: pullActor,
      scope: "repository",
      body: EditPullRequestOption,
      answers: json(201, PullRequest),
      refusals: { 403: "forbidden", 404: "notFound", 409: "error", 412: "error", 422: "validationError" },
      handle: async ({ actor, repository, params, body, signal }) => show(actor, await editPull(deps, actor, repository, params.index, readEdit(body), signal)),
    }),
  ];
}

const readNewPull = (body: CreatePullRequestOption): NewPullInput => ({
  base: body.base,
  head: body.head,
  title: body.title,
  content: body.body,
  plan: {
    labelIds: body.labels ?? [],
    // @compat as for new issues (pulls/api/pulls.test.ts)
    sharesScopes: true,
    milestoneId: body.milestone,
    assignees: [...(body.assignees ?? []), ...(body.assignee === "" ? [] : [body.assignee])],
    deadlineMs: body.due_date === null ? null : (parseTime(body.due_date) ?? null),
  },
  reviewers: { users: body.reviewers ?? [], teams: body.team_reviewers ?? [] },
  allowsMaintainerEdit: body.allow_maintainer_edit,
});

/** @throws ForgeError `stale` for an unknown state */
function readEdit(body: EditPullRequestOption): PullEdit {
  if (body.state !== null && body.state !== "" && body.state !== "open" && body.state !== "closed") throw stale(`unknown state: ${body.state}`);
  return {
    title: body.title === "" ? null : body.title,
    content: body.body,
    contentVersion: body.content_version,
    ref: null,
    isClosed: body.state === null || body.state === "" ? null : body.state === "closed",
    assignees: body.assignees ?? (body.assignee === "" ? null : [body.assignee]),
    // @compat 0 means unchanged, like an omitted field: the issue operation removes a milestone (pulls/api/pulls.test.ts)
    milestoneId: body.milestone === 0 ? null : body.milestone,
    deadline: body.unset_due_date === true ? { ms: null } : body.due_date === null ? null : { ms: parseEndOfDay(body.due_date) ?? null },
    timeEstimateSeconds: null,
    labelIds: body.labels,
    base: body.base,
    allowsMaintainerEdit: body.allow_maintainer_edit,
  };
}
