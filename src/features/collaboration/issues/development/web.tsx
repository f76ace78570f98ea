import type { Clock } from "../../../../core/clock.ts";
import { invalid } from "../../../../core/errors.ts";
import { repository } from "../../../../http/access.ts";
import { seeOther, submit } from "../../../../http/form-submit.ts";
import { issueWorkPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { issuePath } from "../../../../ui/addresses.ts";
import { inPlace, text } from "../../../../wire/schema.ts";
import type { BranchDeps } from "../../../repositories/branches/service/deps.ts";
import { formPage } from "../planning/web/plan.tsx";
import { createIssueBranch } from "./service.ts";
import { NewBranchForm } from "./views.tsx";

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
          return seeOther(`${issuePath(repository, Number(params.index))}#side-development`);
        },
        (problem) =>
          formPage(deps, request, (props) => (
            <NewBranchForm {...props} values={values} problem={{ ...problem, field: problem.field === "branch_name" ? "name" : problem.field }} />
          )),
        { field: "name", fieldOf: { target_not_found: "from" }, also: ["not_found", "forbidden"] },
      );
    },
  }),
];
