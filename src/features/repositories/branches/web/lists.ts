import { raw } from "../../../../http/answers.ts";
import { readingPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { branchPrefix, shortName, tagPrefix } from "../../refs/model.ts";
import type { RefListings } from "../../refs/service/listings.ts";

/** The names of all branches and of all tags, as JSON: `{"results": [...]}`. */
export const refNameRoutes = ({ refListings }: { readonly refListings: RefListings }): Route[] =>
  (["branches", "tags"] as const).map((kind) =>
    defineRoute({
      ...readingPage("repo.code"),
      isPage: false,
      id: kind === "branches" ? "webListBranchNames" : "webListTagNames",
      path: `/{owner}/{repo}/${kind}/list`,
      summary: `The names of all ${kind}`,
      answers: raw(["application/json"]),
      handle: async ({ repository }) => {
        const slices = await refListings.readBelow(repository.codeStoreId, kind === "branches" ? branchPrefix : tagPrefix);
        return {
          status: 200,
          headers: { "content-type": "application/json;charset=utf-8", "x-content-type-options": "nosniff", "cache-control": "no-store" },
          body: `${JSON.stringify({ results: slices.flatMap((refs) => refs.map(({ name }) => shortName(name))) })}\n`,
        };
      },
    }),
  );
