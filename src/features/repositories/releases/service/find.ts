import type { RepositorySubject } from "../../../../access/subjects.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader } from "../../../../db/db.ts";
import type { ReleaseEvent } from "../../../../events/release-events.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import type { KnownRelease, ReleaseFilter, ReleaseView } from "../model.ts";
import { readsRelease, writesReleases } from "../rights.ts";
import { loadAssets } from "../store/assets.ts";
import { findLatestRelease, findRelease, findReleaseOfTag, pageReleases } from "../store/releases.ts";

interface ReadDeps {
  readonly db: Reader;
}

type Place = Pick<RepositorySubject, "id" | "right">;

/** A page of the releases visible to the caller, newest first. Four statements. */
export async function listReleases(deps: ReadDeps, repository: Place, filter: ReleaseFilter, page: Page): Promise<Paged<ReleaseView>> {
  const seesDrafts = writesReleases(repository);
  if (!seesDrafts && filter.isDraft === true) return { items: [], total: 0 };
  const { items, total } = await pageReleases(deps.db, repository.id, seesDrafts ? filter : { ...filter, isDraft: false }, page);
  return { items: await toViews(deps.db, items), total };
}

/** @throws ForgeError `not_found`, also for a draft that is not visible to the caller */
export async function requireRelease(deps: ReadDeps, repository: Place, id: number): Promise<KnownRelease> {
  return shown(repository, await findRelease(deps.db, repository.id, id));
}

/** @throws ForgeError as {@link requireRelease} */
export async function requireReleaseOfTag(deps: ReadDeps, repository: Place, tagName: string): Promise<KnownRelease> {
  return shown(repository, await findReleaseOfTag(deps.db, repository.id, tagName));
}

/** The latest release that is neither a draft nor a pre-release. @throws ForgeError `not_found` if there is none */
export async function requireLatestRelease(deps: ReadDeps, repository: Place): Promise<KnownRelease> {
  return shown(repository, await findLatestRelease(deps.db, repository.id));
}

/** As {@link requireLatestRelease}, but undefined if there is none or the caller cannot read releases. */
export async function findLatest(deps: ReadDeps, repository: Place): Promise<KnownRelease | undefined> {
  const release = await findLatestRelease(deps.db, repository.id);
  return release !== undefined && readsRelease(repository, release) ? release : undefined;
}

function shown(repository: Place, release: KnownRelease | undefined): KnownRelease {
  if (release === undefined || !readsRelease(repository, release)) throw notFound();
  return release;
}

/** Whether the tag has a release, which can be a draft. One statement. */
export const hasRelease = async (db: Reader, repoId: number, tagName: string): Promise<boolean> => (await findReleaseOfTag(db, repoId, tagName)) !== undefined;

/** A release with author and attachments. Two statements. */
export async function toView(db: Reader, release: KnownRelease): Promise<ReleaseView> {
  const [view] = await toViews(db, [release]);
  if (view === undefined) throw new Error("a release has a view");
  return view;
}

/** Releases of events, including deleted ones, with their remaining attachments. Two statements. */
export const releaseViewsOfEvents = (db: Reader, events: readonly ReleaseEvent[]): Promise<readonly ReleaseView[]> =>
  toViews(
    db,
    events.map(({ releaseId, ...rest }) => ({ ...rest, id: releaseId })),
  );

async function toViews(db: Reader, releases: readonly KnownRelease[]): Promise<ReleaseView[]> {
  const authors = await loadUsers({ db }, [...new Set(releases.flatMap(({ authorId }) => authorId ?? []))]);
  const assets = await loadAssets(
    db,
    releases.map(({ id }) => id),
  );
  return releases.map((release) => ({
    ...release,
    author: release.authorId === null ? undefined : authors.get(release.authorId),
    assets: assets.get(release.id) ?? [],
  }));
}
