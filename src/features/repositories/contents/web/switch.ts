import { seeOther } from "../../../../http/form-submit.ts";
import { readingPage } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { repositoryPath } from "../../../../ui/addresses.ts";
import { type PathPage, pathPages } from "../../../../ui/rev-menu.tsx";
import { findViewpoint, type ViewpointDeps } from "../service/viewpoint.ts";

const isPathPage = (name: string): name is PathPage => Object.hasOwn(pathPages, name);

/** Redirects from a submitted revision to its page. */
export const switchPages = (deps: ViewpointDeps): Route[] => [
  defineRoute({
    ...readingPage("repo.code"),
    id: "switchRevPage",
    path: "/{owner}/{repo}/src",
    summary: "Redirect to a path at another branch, tag or commit",
    query: {
      rev: query.text("A branch, tag or commit; the default branch if omitted"),
      path: query.text("A file or directory; the root if omitted"),
      page: query.text("The page to show: `src`, `blame` or `commits`"),
    },
    handle: async ({ repository, query: { rev = "", path = "", page = "src" } }) => {
      if (repository.isEmpty) return seeOther(repositoryPath(repository));
      const at = await findViewpoint(deps, repository, rev.trim());
      return seeOther((isPathPage(page) ? pathPages[page] : pathPages.src)(repository, at, path));
    },
  }),
];
