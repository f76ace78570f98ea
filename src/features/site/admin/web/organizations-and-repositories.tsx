import { readId } from "../../../../core/ids.ts";
import type { Explained } from "../../../../core/reasons.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { savedAt, submit } from "../../../../http/form-submit.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { repositoryPath } from "../../../../ui/addresses.ts";
import { administrationPaths as paths } from "../../../../ui/settings.tsx";
import { inPlace, text } from "../../../../wire/schema.ts";
import { listAllOrganizations } from "../../../organizations/orgs/service/lists.ts";
import { type AdoptionDeps, adoptRepository, deleteUnadopted, listUnadopted } from "../../../repositories/adoption/service.ts";
import { type DeletedDeps, listDeletedRepositories, restoreRepository } from "../../../repositories/repos/service/restore.ts";
import { searchRepositories } from "../../../repositories/repos/service/search.ts";
import { DeletedRepositories, type RefusedRestoration } from "../../../repositories/repos/views/deleted.tsx";
import { OrganizationsView, RepositoriesView, type UnadoptedProps, UnadoptedView } from "../views/organizations-and-repositories.tsx";
import { type AdminRequest, adminPage, show, tokenOf } from "./frame.ts";

export type AdminListDeps = AdoptionDeps & DeletedDeps & { readonly urls: Urls };

const NoFields = inPlace({});

/** Lists of organizations and of repositories: existing, deleted and unadopted. */
export const adminListPages = (deps: AdminListDeps): Route[] => [
  defineRoute({
    ...adminPage,
    id: "adminOrganizationsPage",
    method: "GET",
    path: paths.organizations,
    summary: "Every organization",
    query: { q: query.text("Part of a name") },
    handle: async (request) => {
      const text = request.query.q ?? "";
      const { items, total } = await listAllOrganizations(deps, request.page, text);
      return show(
        request,
        "organizations",
        <OrganizationsView path={paths.organizations} organizations={items} total={total} text={text} page={request.page} />,
      );
    },
  }),
  defineRoute({
    ...adminPage,
    id: "adminRepositoriesPage",
    method: "GET",
    path: paths.repositories,
    summary: "Every repository",
    query: {
      q: query.text("Part of a name"),
      kind: query.text("Which", ["", "source", "fork", "mirror"]),
      sort: query.text("In which order", ["", "alpha", "updated", "created", "size"]),
    },
    handle: async (request) => {
      const { q = "", kind = "", sort = "" } = request.query;
      const order = sort === "" || sort === "alpha" ? "asc" : "desc";
      const { items, total } = await searchRepositories(deps, request.actor, { ...everything, text: q, mode: kind, sort, order }, request.page);
      const props = { path: paths.repositories, repositories: items, total, requested: { q, kind, sort }, page: request.page };
      return show(request, "repositories", <RepositoriesView {...props} />);
    },
  }),
  defineRoute({
    ...adminPage,
    id: "deletedRepositoriesPage",
    method: "GET",
    path: paths.deleted,
    summary: "Deleted repositories that can be restored",
    handle: (request) => deletedPage(deps, request),
  }),
  defineRoute({
    ...adminPage,
    id: "restoreRepositoryByForm",
    method: "POST",
    path: `${paths.deleted}/{id}/restore`,
    summary: "Restore a deleted repository",
    body: inPlace({ name: text() }),
    handle: (request) => {
      const [id, name] = [readId(request.params.id), request.body.name.trim()];
      const restore = async (): Promise<RawReply> => savedAt(repositoryPath(await restoreRepository(deps, request.actor, id, name)), "restored");
      return submit(restore, (problem) => deletedPage(deps, request, { id, name, problem: { ...problem, field: "name" } }));
    },
  }),
  defineRoute({
    ...adminPage,
    id: "unadoptedRepositoriesPage",
    method: "GET",
    path: paths.unadopted,
    summary: "Repositories on disk that can be adopted",
    query: { q: query.text("A pattern for the owner's name, or for both: `own*/rep*`") },
    handle: (request) => {
      const pattern = request.query.q ?? "";
      return submit(
        () => unadoptedPage(deps, request, { pattern }),
        async (refusal) => showUnadopted(request, { repositories: [], total: 0, pattern, refusal }),
      );
    },
  }),
  defineRoute({
    ...adminPage,
    id: "adoptRepositoryByForm",
    method: "POST",
    path: `${paths.unadopted}/{owner}/{repo}/adopt`,
    summary: "Adopt a repository on disk",
    body: NoFields,
    handle: (request) => {
      const { actor, params } = request;
      const adopt = async (): Promise<RawReply> => {
        await adoptRepository(deps, actor, params.owner, params.repo);
        return savedAt(repositoryPath({ ownerName: params.owner, name: params.repo }), "adopted");
      };
      return submit(adopt, (refusal) => unadoptedPage(deps, request, { pattern: "", refusal }), { also: ["not_found"] });
    },
  }),
  defineRoute({
    ...adminPage,
    id: "deleteUnadoptedByForm",
    method: "POST",
    path: `${paths.unadopted}/{owner}/{repo}/delete`,
    summary: "Delete an unadopted repository from disk",
    body: NoFields,
    handle: async ({ params }) => {
      await deleteUnadopted(deps, params.owner, params.repo);
      return savedAt(paths.unadopted, "deleted");
    },
  }),
];

const everything = { searchesTopics: false, searchesDescriptions: false, isOwnedOnly: false, includesPrivate: true } as const;

async function deletedPage(deps: AdminListDeps, request: AdminRequest, refused?: RefusedRestoration): Promise<RawReply> {
  const { items, total } = await listDeletedRepositories(deps, request.page);
  const props = { path: paths.deleted, repositories: items, total, refused, page: request.page, formToken: tokenOf(request) };
  return show(request, "deleted", <DeletedRepositories {...props} />);
}

async function unadoptedPage(
  deps: AdminListDeps,
  request: AdminRequest,
  { pattern, refusal }: { readonly pattern: string; readonly refusal?: Explained },
): Promise<RawReply> {
  const { items, total } = await listUnadopted(deps, pattern, request.page);
  return showUnadopted(request, { repositories: items, total, pattern, refusal });
}

const showUnadopted = (request: AdminRequest, listed: Pick<UnadoptedProps, "repositories" | "total" | "pattern" | "refusal">): RawReply =>
  show(request, "unadopted", <UnadoptedView path={paths.unadopted} page={request.page} formToken={tokenOf(request)} {...listed} />);
