import type { Reader } from "../../../../db/db.ts";
import { raw } from "../../../../http/answers.ts";
import { readingPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { branchPrefix, shortName, tagPrefix } from "../../refs/model.ts";
import { allRefs } from "../../refs/service/read.ts";

/** The names of all branches and of all tags, as JSON: `{"results": [...]}`. */
export const refNameRoutes = (deps: { readonly db: Reader }): Route[] =>
  (["branches", "tags"] as const).map((kind) =>
    defineRoute({
      ...readingPage("repo.code"),
      isPage: false,
      id: kind === "branches" ? "webListBranchNames" : "webListTagNames",
      path: `/{owner}/{repo}/${kind}/list`,
      summary: `The names of all ${kind}`,
      answers: raw(["application/json"]),
      handle: async ({ repository }) => {
        const refs = await allRefs(deps.db, repository.codeStoreId, kind === "branches" ? branchPrefix : tagPrefix);
        return {
          status: 200,
          headers: { "content-type": "application/json;charset=utf-8", "x-content-type-options": "nosniff", "cache-control": "no-store" },
          body: `${JSON.stringify({ results: refs.map(({ name }) => shortName(name)) })}\n`,
        };
      },
    }),
  );
