import { forbidden } from "../../../../core/errors.ts";
import { repository } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { EditGitHookOption, GitHook } from "../../../../wire/hook.ts";

/** @compat Gitea's error for users without the right to edit hooks; here no user can get that right (hooks/api.test.ts) */
function refuse(): never {
  throw forbidden("must be allowed to edit Git hooks");
}

const common = { tag: "repository", scope: "repository", access: repository.admin(), refusals: { 404: "notFound" }, handle: refuse } as const;
const one = "/repos/{owner}/{repo}/hooks/git/{id}";

/** Git hook scripts, which this server does not run. */
export const gitHookRoutes = (): Route[] => [
  defineRoute({
    ...common,
    id: "repoListGitHooks",
    method: "GET",
    path: "/repos/{owner}/{repo}/hooks/git",
    summary: "Refused: this server does not run hook scripts",
    answers: list(GitHook, "none"),
  }),
  defineRoute({
    ...common,
    id: "repoGetGitHook",
    method: "GET",
    path: one,
    summary: "Refused: this server does not run hook scripts",
    answers: json(200, GitHook),
  }),
  defineRoute({
    ...common,
    id: "repoEditGitHook",
    method: "PATCH",
    path: one,
    summary: "Refused: this server does not run hook scripts",
    body: EditGitHookOption,
    answers: json(200, GitHook),
  }),
  defineRoute({ ...common, id: "repoDeleteGitHook", method: "DELETE", path: one, summary: "Refused: this server does not run hook scripts", answers: empty() }),
];
