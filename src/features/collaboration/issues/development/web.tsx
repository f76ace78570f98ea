import type { Clock } from "../../../../core/clock.ts";
import { invalid } from "../../../../core/errors.ts";
import { repository } from "../../../../http/access.ts";
import { seeOther, submit } from "../../../../http/form-submit.ts";
import { issueWorkPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { issuePath, type RepositoryName } from "../../../../ui/addresses.ts";
import { inPlace, text } from "../../../../wire/schema.ts";
import type { BranchDeps } from "../../../repositories/branches/service/deps.ts";
import { formPage } from "../planning/web/plan.tsx";
import { createIssueBranch, linkIssueBranch, unlinkIssueBranch } from "./service.ts";
import { LinkBranchForm, NewBranchForm } from "./views.tsx";

const linkPage = { ...issueWorkPage, method: "POST", access: repository.writer("repo.code", { archived: "refused" }), scope: "repository" } as const;

/** Branches for issues. */
export const developmentPages = (deps: BranchDeps & { readonly clock: Clock }): Route[] => [
  defineRoute({
    ...issueWorkPage,
    id: "createIssueBranch",
    method: "POST",
    path: "/{owner}/{repo}/issues/{index}/branches",
    summary: "Create a branch for an issue",
    access: repository.writer("repo.code", { archived: "refused" }),
    scope: "repository",
    body: inPlace({ name: text(), from: text() }),
    handle: (request) => {
      const { actor, repository, params } = request;
      const values = { name: request.body.name.trim(), from: request.body.from.trim() };
      return submit(
        async () => {
          if (values.name === "") throw invalid("[Name]: Required", { reason: "required" });
          await createIssueBranch(deps, actor, repository, params.index, values);
          return seeOther(developmentOf(repository, params.index));
        },
        (problem) =>
          formPage(deps, request, (props) => (
            <NewBranchForm {...props} values={values} problem={{ ...problem, field: problem.field === "branch_name" ? "name" : problem.field }} />
          )),
        { field: "name", fieldOf: { target_not_found: "from" }, also: ["not_found", "forbidden"] },
      );
    },
  }),
  defineRoute({
    ...linkPage,
    id: "linkIssueBranch",
    path: "/{owner}/{repo}/issues/{index}/branches/link",
    summary: "Link an existing branch to an issue",
    body: inPlace({ branch: text() }),
    handle: (request) => {
      const { repository, params } = request;
      const branch = request.body.branch.trim();
      return submit(
        async () => {
          if (branch === "") throw invalid("[Branch]: Required", { reason: "required" });
          await linkIssueBranch(deps, repository, params.index, branch);
          return seeOther(developmentOf(repository, params.index));
        },
        (problem) => formPage(deps, request, (props) => <LinkBranchForm {...props} branch={branch} problem={problem} />),
        { field: "branch" },
      );
    },
  }),
  defineRoute({
    ...linkPage,
    id: "unlinkIssueBranch",
    path: "/{owner}/{repo}/issues/{index}/branches/unlink",
    summary: "Remove the link of a branch to an issue",
    body: inPlace({ branch: text() }),
    handle: async ({ repository, params, body }) => {
      await unlinkIssueBranch(deps, repository, params.index, body.branch);
      return seeOther(developmentOf(repository, params.index));
    },
  }),
];

const developmentOf = (repository: RepositoryName, index: string): string => `${issuePath(repository, Number(index))}#side-development`;
