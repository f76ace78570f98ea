import type { Actor } from "../../../access/actor.ts";
import { atLeast } from "../../../access/repository.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import type { Clock } from "../../../core/clock.ts";
import type { Page } from "../../../core/paging.ts";
import type { Db } from "../../../db/db.ts";
import type { RawReply } from "../../../http/answers.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { readingPage } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { releasePath, releasesPath } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import type { PageCard } from "../../../ui/page.tsx";
import { renderRepositoryPage } from "../../../ui/repository-page.tsx";
import { textsFor } from "../../../ui/texts/texts.ts";
import { type RepositoryTextDeps, renderTexts } from "../../site/markup/repository-texts.ts";
import { repositoryHeader } from "../repos/header.ts";
import { previewUrl } from "../repos/present.ts";
import { getRepository } from "../repos/service/loaders.ts";
import type { ReleaseView } from "./model.ts";
import { editsReleases } from "./rights.ts";
import { findLatest, listReleases, requireReleaseOfTag, toView } from "./service/find.ts";
import { releaseTexts } from "./texts/texts.ts";
import { NewRelease, ReleaseBox, type ReleaseLocation, ReleasesView, type ShownRelease } from "./views/releases.tsx";

export interface ReleasePageDeps extends RepositoryTextDeps {
  readonly db: Db;
  readonly clock: Clock;
}

const page = readingPage("repo.releases");

/** The web pages of releases. */
export const releasePages = (deps: ReleasePageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "releasesPage",
    path: "/{owner}/{repo}/releases",
    summary: "Releases, newest first; drafts are only shown to writers",
    handle: async (request) => {
      const { actor, repository } = request;
      const { items, total } = await listReleases(deps, repository, { isDraft: undefined, isPrerelease: undefined }, request.page);
      const releases = await render(deps, actor, repository, items);
      const { title } = textsFor(releaseTexts, pageReader(request).languages);
      const place = await findPlace(deps, request);
      const content = <ReleasesView repository={repository} releases={releases} total={total} page={request.page} place={place} />;
      return show(deps, request, title, content, { ...(place.canWrite && total > 0 && { beside: <NewRelease repository={repository} /> }) });
    },
  }),
  defineRoute({
    ...page,
    id: "releasePage",
    path: "/{owner}/{repo}/releases/tag/{tag+}",
    summary: "The release of a tag",
    handle: async (request) => {
      const { actor, repository, params } = request;
      const release = await toView(deps.db, await requireReleaseOfTag(deps, repository, params.tag));
      const shown = await render(deps, actor, repository, [release]);
      const place = await findPlace(deps, request);
      const url = deps.urls.origin + releasePath(repository, release.tagName);
      return show(
        deps,
        request,
        release.title || release.tagName,
        shown.map((one) => <ReleaseBox repository={repository} {...one} place={place} isAlone />),
        { card: { kind: "article", description: release.note, url } },
      );
    },
  }),
];

const findPlace = async (deps: ReleasePageDeps, { actor, repository }: PageRequest): Promise<ReleaseLocation> => ({
  latestId: (await findLatest(deps, repository))?.id,
  canWrite: editsReleases(actor, repository),
  branch: !repository.isEmpty && atLeast(repository.right.unit("repo.code"), "read") ? repository.defaultBranch : undefined,
  now: deps.clock.now(),
});

/** Renders the notes of all releases on a page together. */
async function render(deps: ReleasePageDeps, actor: Actor, repository: RepositorySubject, releases: readonly ReleaseView[]): Promise<ShownRelease[]> {
  const notes = await renderTexts(
    deps,
    actor,
    repository,
    releases.map(({ note }) => note),
  );
  return releases.map((release, at) => ({ release, html: notes[at] ?? "" }));
}

interface PageRequest {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly session: string | undefined;
  readonly page: Page;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

async function show(
  deps: ReleasePageDeps,
  request: PageRequest,
  title: string,
  content: Html,
  more: { readonly card?: PageCard; readonly beside?: Html } = {},
): Promise<RawReply> {
  const view = await getRepository(deps, request.actor, request.repository.id);
  const path = releasesPath(request.repository);
  const feed = { rss: `${path}.rss`, atom: `${path}.atom` };
  const header = repositoryHeader(view);
  const card = more.card === undefined ? {} : { card: { ...more.card, imageUrl: previewUrl(view, deps.urls) } };
  return renderRepositoryPage({ ...pageReader(request), repository: header, tab: "releases", title, heading: title, feed, ...more, ...card }, content);
}
