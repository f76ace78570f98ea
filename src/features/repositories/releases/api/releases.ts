import type { RepositorySubject } from "../../../../access/subjects.ts";
import { readId } from "../../../../core/ids.ts";
import { encodePath, type Urls } from "../../../../core/urls.ts";
import { repository } from "../../../../http/access.ts";
import { empty, json, list, raw } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { CreateReleaseOption, EditReleaseOption, Release } from "../../../../wire/release.ts";
import type { KnownRelease, ReleaseView } from "../model.ts";
import { presentRelease } from "../present.ts";
import { createRelease, editRelease, removeRelease, removeReleaseOfTag } from "../service/change.ts";
import { listReleases, requireLatestRelease, requireRelease, requireReleaseOfTag, toView } from "../service/find.ts";
import type { ReleaseDeps } from "../service/tag.ts";

export type ReleaseApiDeps = ReleaseDeps & { readonly urls: Urls };

const reader = repository.reader("repo.releases");
/** @compat releases of an archived repository can be edited, too (releases/api.test.ts) */
const writer = repository.writer("repo.releases");
const common = { tag: "repository", scope: "repository" } as const;

export function releaseRoutes(deps: ReleaseApiDeps): Route[] {
  const { db, urls } = deps;
  const base = "/repos/{owner}/{repo}/releases";
  const one = `${base}/{id}` as const;
  const ofTag = `${base}/tags/{tag+}` as const;
  const show = (view: ReleaseView, { fullName }: RepositorySubject): Release => presentRelease(view, fullName, urls);
  const answer = async (release: KnownRelease, repository: RepositorySubject): Promise<Release> => show(await toView(db, release), repository);
  return [
    defineRoute({
      ...common,
      id: "repoListReleases",
      method: "GET",
      path: base,
      summary: "List the releases of a repository, newest first; drafts need write access to releases",
      access: reader,
      query: {
        draft: query.bool("Only drafts, or no drafts"),
        "pre-release": query.bool("Only pre-releases, or no pre-releases"),
        per_page: query.integer("Deprecated alias of limit, which takes precedence"),
      },
      answers: list(Release, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ repository, query, page }) => {
        const filter = { isDraft: query.draft, isPrerelease: query["pre-release"] };
        const { items, total } = await listReleases(deps, repository, filter, page);
        return { items: items.map((view) => show(view, repository)), total };
      },
    }),
    defineRoute({
      ...common,
      id: "repoCreateRelease",
      method: "POST",
      path: base,
      summary: "Create a release, and its tag if that is missing; drafts do not create a tag",
      access: writer,
      body: CreateReleaseOption,
      answers: json(201, Release),
      refusals: { 404: "notFound", 409: "error", 422: "validationError", 423: "repoArchivedError" },
      handle: async ({ actor, repository, body }) => show(await createRelease(deps, actor, repository, readNew(body)), repository),
    }),
    defineRoute({
      ...common,
      id: "repoGetLatestRelease",
      method: "GET",
      path: `${base}/latest`,
      summary: "Get the latest release that is neither a draft nor a pre-release",
      access: reader,
      answers: json(200, Release),
      refusals: { 404: "notFound" },
      handle: async ({ repository }) => answer(await requireLatestRelease(deps, repository), repository),
    }),
    defineRoute({
      ...common,
      id: "repoGetReleaseByTag",
      method: "GET",
      path: ofTag,
      summary: "Get the release of a tag",
      access: reader,
      answers: json(200, Release),
      refusals: { 404: "notFound" },
      handle: async ({ repository, params }) => answer(await requireReleaseOfTag(deps, repository, params.tag), repository),
    }),
    defineRoute({
      ...common,
      id: "repoDeleteReleaseByTag",
      method: "DELETE",
      path: ofTag,
      summary: "Delete the release of a tag; the tag is kept",
      access: writer,
      answers: empty(),
      refusals: { 404: "notFound", 422: "validationError" },
      handle: ({ actor, repository, params }) => removeReleaseOfTag(deps, actor, repository, params.tag),
    }),
    defineRoute({
      ...common,
      id: "repoGetRelease",
      method: "GET",
      path: one,
      summary: "Get a release",
      access: reader,
      answers: json(200, Release),
      refusals: { 404: "notFound" },
      handle: async ({ repository, params }) => answer(await requireRelease(deps, repository, readId(params.id)), repository),
    }),
    defineRoute({
      ...common,
      id: "repoEditRelease",
      method: "PATCH",
      path: one,
      summary: "Edit a release; empty strings are left unchanged. Publishing creates a missing tag",
      access: writer,
      body: EditReleaseOption,
      answers: json(200, Release),
      refusals: { 404: "notFound", 409: "conflict" },
      handle: async ({ actor, repository, params, body }) => show(await editRelease(deps, actor, repository, readId(params.id), readEdit(body)), repository),
    }),
    defineRoute({
      ...common,
      id: "repoDeleteRelease",
      method: "DELETE",
      path: one,
      summary: "Delete a release; its tag is kept",
      access: writer,
      answers: empty(),
      refusals: { 404: "notFound", 422: "validationError" },
      handle: ({ actor, repository, params }) => removeRelease(deps, actor, repository, readId(params.id)),
    }),
    defineRoute({
      ...common,
      id: "webGetLatestRelease",
      method: "GET",
      mount: "root",
      path: "/{owner}/{repo}/releases/latest",
      summary: "Redirect to the latest release",
      isUnlisted: true,
      access: reader,
      answers: raw([]),
      handle: async ({ repository }) => {
        const { tagName } = await requireLatestRelease(deps, repository);
        return { status: 303, headers: { location: `/${encodePath(`${repository.fullName}/releases/tag/${tagName}`)}` } };
      },
    }),
  ];
}

const readNew = (option: CreateReleaseOption) => ({
  tagName: option.tag_name,
  target: option.target_commitish,
  tagMessage: option.tag_message,
  title: option.name,
  note: option.body,
  isDraft: option.draft,
  isPrerelease: option.prerelease,
});

/** @compat an empty string leaves a field unchanged (releases/api.test.ts) */
const readEdit = (option: EditReleaseOption) => ({
  tagName: option.tag_name || null,
  target: option.target_commitish || null,
  title: option.name || null,
  note: option.body || null,
  isDraft: option.draft,
  isPrerelease: option.prerelease,
});
