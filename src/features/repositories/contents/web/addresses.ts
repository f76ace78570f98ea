import { encodePath } from "../../../../core/urls.ts";
import { seeOther } from "../../../../http/form-submit.ts";
import { readingPage } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { repositoryPath, withQuery } from "../../../../ui/addresses.ts";
import { completePath } from "../service/raw.ts";
import type { ViewpointDeps } from "../service/viewpoint.ts";

const page = readingPage("repo.code");

/** Redirects for other common URLs of a repository and its files. */
export const otherAddressPages = (deps: ViewpointDeps): Route[] => [
  defineRoute({
    ...page,
    id: "cloneAddressPage",
    path: "/{owner}/{repo}.git",
    summary: "Redirect from the clone URL to the repository's page",
    handle: ({ repository }) => seeOther(repositoryPath(repository)),
  }),
  ...(["tree", "blob"] as const).map((word) =>
    defineRoute({
      ...page,
      id: `${word}AddressPage`,
      path: `/{owner}/{repo}/${word}/{filepath+}`,
      summary: "Redirect from a URL in GitHub's form to the file or directory",
      query: { raw: query.text("`true` or `1`: the raw file") },
      handle: async ({ repository, params, query }) => {
        const path = `${repository.fullName}/src/${await completePath(deps, repository, params.filepath)}`;
        return seeOther(withQuery(`/${encodePath(path)}`, { raw: query.raw }));
      },
    }),
  ),
];
