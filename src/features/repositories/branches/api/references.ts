import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Urls } from "../../../../core/urls.ts";
import { repository } from "../../../../http/access.ts";
import { list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { Reference } from "../../../../wire/git-data.ts";
import type { RefListings } from "../../refs/service/listings.ts";
import { presentReference } from "../present.ts";
import { listReferences } from "../service/references.ts";

const reader = repository.reader("repo.code");

export function referenceRoutes(deps: { readonly refListings: RefListings; readonly urls: Urls }): Route[] {
  const answer = async (repository: RepositorySubject, start: string) => {
    const { slices, total } = await listReferences(deps, repository, start);
    return { items: slices.values().flatMap((refs) => refs.map((ref) => presentReference(ref, repository, deps.urls))), total };
  };
  return [
    defineRoute({
      id: "repoListAllGitRefs",
      method: "GET",
      path: "/repos/{owner}/{repo}/git/refs",
      tag: "repository",
      summary: "List all refs of a repository",
      access: reader,
      scope: "repository",
      answers: list(Reference, "none"),
      refusals: { 404: "notFound" },
      handle: ({ repository }) => answer(repository, ""),
    }),
    defineRoute({
      id: "repoListGitRefs",
      method: "GET",
      path: "/repos/{owner}/{repo}/git/refs/{ref+}",
      tag: "repository",
      summary: "List the refs that start with a name, even if there is an exact match",
      access: reader,
      scope: "repository",
      answers: list(Reference, "none"),
      refusals: { 404: "notFound" },
      handle: ({ repository, params }) => answer(repository, params.ref),
    }),
  ];
}
