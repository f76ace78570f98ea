import type { RepositorySubject } from "../../../../access/subjects.ts";
import { encodePath } from "../../../../core/urls.ts";
import { seeOther } from "../../../../http/form-submit.ts";
import { readingPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { repositoryPath } from "../../../../ui/addresses.ts";
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
      handle: ({ repository, params }) => leadTo(deps, repository, params.filepath),
    }),
  ),
];

const leadTo = async (deps: ViewpointDeps, repository: RepositorySubject, path: string) =>
  seeOther(`/${encodePath(`${repository.fullName}/src/${await completePath(deps, repository, path)}`)}`);
