import { repository } from "../../../../http/access.ts";
import { empty, silent } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { MergePullRequestOption } from "../../../../wire/pull-request.ts";
import { getSettings } from "../../../repositories/repos/service/settings.ts";
import { requireMerged } from "../service/merge/is-merged.ts";
import { mergeManually } from "../service/merge/manual.ts";
import { mergePull } from "../service/merge/merge.ts";
import type { MergeRequest } from "../service/merge/request.ts";
import { cancelAutoMerge, mergeWhenReady } from "../service/merge/schedule.ts";
import { updateHead } from "../service/update.ts";
import type { PullApiDeps } from "./pulls.ts";

const merger = repository.signedIn({ archived: "refused" });

/** Merging, and updating a head from its base. */
export function pullMergeRoutes(deps: PullApiDeps): Route[] {
  return [
    defineRoute({
      id: "repoPullRequestIsMerged",
      method: "GET",
      path: "/repos/{owner}/{repo}/pulls/{index}/merge",
      tag: "repository",
      summary: "Check whether a pull request is merged",
      access: repository.visible,
      scope: "repository",
      answers: empty(),
      refusals: { 404: "notFound" },
      handle: ({ repository, params }) => requireMerged(deps, repository, params.index),
    }),
    defineRoute({
      id: "repoMergePullRequest",
      method: "POST",
      path: "/repos/{owner}/{repo}/pulls/{index}/merge",
      tag: "repository",
      summary: "Merge a pull request, now or when all checks succeed; without a body in the default style of the repository",
      access: merger,
      scope: "repository",
      body: MergePullRequestOption,
      acceptsNoBody: true,
      answers: silent(200, 201),
      refusals: { 403: "forbidden", 404: "notFound", 405: "error", 409: "error", 423: "repoArchivedError" },
      handle: async ({ actor, repository, params, body, signal }) => {
        const style = body.do || (await getSettings(deps, repository.id)).defaultMergeStyle;
        if (style === "manually-merged") {
          await mergeManually(deps, actor, repository, params.index, body.merge_commit_id ?? "");
          return { status: 200 };
        }
        const request: MergeRequest = {
          style,
          title: body.merge_title_field ?? "",
          message: body.merge_message_field ?? "",
          expectedHeadOid: body.head_commit_id ?? "",
          deletesBranch: body.delete_branch_after_merge,
          isForced: body.force_merge === true,
        };
        if (body.merge_when_checks_succeed === true) {
          const isMerged = await mergeWhenReady(deps, actor, repository, params.index, request, signal);
          return { status: isMerged ? 200 : 201 };
        }
        await mergePull(deps, actor, repository, params.index, request, signal);
        return { status: 200 };
      },
    }),
    defineRoute({
      id: "repoCancelScheduledAutoMerge",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/pulls/{index}/merge",
      tag: "repository",
      summary: "Cancel the auto merge of a pull request",
      access: merger,
      scope: "repository",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound", 423: "repoArchivedError" },
      handle: ({ actor, repository, params }) => cancelAutoMerge(deps, actor, repository, params.index),
    }),
    defineRoute({
      id: "repoUpdatePullRequest",
      method: "POST",
      path: "/repos/{owner}/{repo}/pulls/{index}/update",
      tag: "repository",
      summary: "Update the head branch with the changes of the base branch",
      access: merger,
      scope: "repository",
      query: { style: query.text("Merges by default; `rebase` rebases the head", ["merge", "rebase"]) },
      answers: empty(200),
      refusals: { 403: "forbidden", 404: "notFound", 409: "error", 422: "validationError" },
      handle: async ({ actor, repository, params, query, signal }) => {
        await updateHead(deps, actor, repository, params.index, query.style === "rebase" ? "rebase" : "merge", signal);
      },
    }),
  ];
}
