import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { conflict, invalid, stale } from "../../../../core/errors.ts";
import { checkLength, lengths } from "../../../../core/lengths.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { ReleaseEvent } from "../../../../events/release-events.ts";
import { isValidTagName } from "../../../../git/objects/ref-names.ts";
import type { PreparedTag } from "../../branches/service/tags.ts";
import { addToReleasesCount } from "../../repos/service/counters.ts";
import type { KnownRelease, NewRelease, ReleaseEdit, ReleaseInput, ReleaseView } from "../model.ts";
import { deleteRelease, insertRelease, updateRelease } from "../store/releases.ts";
import { releaseVersion } from "../version.ts";
import { hasRelease, requireRelease, requireReleaseOfTag, toView } from "./find.ts";
import { ensureReleaseTag, isTagged, prepareReleaseTag, type ReleaseDeps } from "./tag.ts";

/** Writes in the same transaction as the release, such as its attachments. */
interface ReleaseCompany {
  readonly alongside?: (tx: Tx, release: KnownRelease) => Promise<void>;
}

/** @compat Gitea's message, including its grammar (releases/api.test.ts) */
const tagInUse = () => conflict("Release is has no Tag", { reason: "release_exists" });

/**
 * Creates a release, and unless it is a draft its tag if missing. Operation `repoCreateRelease`.
 * @throws ForgeError `conflict` for a tag that has a release, `not_found` for an unknown target, `invalid`, `locked`
 */
export async function createRelease(
  deps: ReleaseDeps,
  actor: UserActor,
  repository: RepositorySubject,
  input: NewRelease & ReleaseCompany,
): Promise<ReleaseView> {
  if (repository.isEmpty) throw invalid("repo is empty", { reason: "repository_empty" });
  const { tagName, target, tagMessage, alongside, ...texts } = input;
  checkTexts(input);
  if (await hasRelease(deps.db, repository.id, tagName)) throw tagInUse();
  const hasTag = await isTagged(deps.db, repository, tagName);
  const prepared = hasTag || input.isDraft ? undefined : await prepareReleaseTag(deps, actor, repository, { tagName, target, message: tagMessage });
  const release = await whereTagIsFree(() =>
    deps.db.tx(async (tx) => {
      const input: ReleaseInput = {
        ...texts,
        repoId: repository.id,
        tagName,
        target: hasTag ? target : target || repository.defaultBranch,
        authorId: actor.id,
        createdMs: tx.nowMs,
        publishedMs: wholeSecond(tx.nowMs),
      };
      const made = { ...input, id: await insertRelease(tx, input) };
      if (!made.isDraft) await publish(tx, actor, repository, { release: made, prepared });
      await alongside?.(tx, made);
      await recordEvent(tx, made.isDraft ? "release.drafted" : "release.published", eventOf(made), contextOf(actor, made));
      return made;
    }),
  );
  return toView(deps.db, release);
}

export interface EditRelease extends ReleaseEdit, ReleaseCompany {
  /** The version that the editor saw (`releaseVersion`); omitted to overwrite any version. */
  readonly seen?: string;
  /** Makes a newly created tag an annotated one. */
  readonly tagMessage?: string;
}

/**
 * Edits a release. Publishing it, or changing its tag, creates the tag if missing. Operation `repoEditRelease`.
 * @throws ForgeError as {@link createRelease}; `stale` if the release has changed since `seen`, unless it already equals the edit
 */
export async function editRelease(deps: ReleaseDeps, actor: UserActor, repository: RepositorySubject, id: number, edit: EditRelease): Promise<ReleaseView> {
  const requested = edited(await requireRelease(deps, repository, id), edit, 0);
  checkTexts(requested);
  const hasTag = requested.isDraft || (await isTagged(deps.db, repository, requested.tagName));
  const prepared = hasTag ? undefined : await prepareReleaseTag(deps, actor, repository, { ...requested, message: edit.tagMessage ?? "" });
  const release = await whereTagIsFree(() =>
    deps.db.tx(async (tx) => {
      const present = await requireRelease({ db: tx }, repository, id);
      const changed = edited(present, edit, tx.nowMs);
      if (![edit.seen ?? releaseVersion(present), releaseVersion(changed)].includes(releaseVersion(present)))
        throw stale("the release has changed in the meantime", { reason: "release_changed" });
      // The tag name only differs from the prepared one if the release was edited concurrently.
      if (changed.tagName !== requested.tagName) throw conflict("the release has changed in the meantime", { reason: "release_changed" });
      await updateRelease(tx, changed);
      if (!changed.isDraft) await publish(tx, actor, repository, { release: changed, prepared, present });
      else if (!present.isDraft) await addToReleasesCount(tx, repository.id, -1);
      await edit.alongside?.(tx, changed);
      await recordEdit(tx, actor, present, changed);
      return changed;
    }),
  );
  return toView(deps.db, release);
}

/** Deletes a release; its tag is kept. Operation `repoDeleteRelease`. @throws ForgeError `not_found` */
export const removeRelease = (deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, id: number): Promise<void> =>
  deps.db.tx(async (tx) => drop(tx, actor, await requireRelease({ db: tx }, repository, id)));

/** Operation `repoDeleteReleaseByTag`. @throws ForgeError `not_found` */
export const removeReleaseOfTag = (deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, tagName: string): Promise<void> =>
  deps.db.tx(async (tx) => drop(tx, actor, await requireReleaseOfTag({ db: tx }, repository, tagName)));

interface Publication {
  readonly release: KnownRelease;
  readonly prepared: PreparedTag | undefined;
  /** Undefined for a new release. */
  readonly present?: KnownRelease;
}

/** Invariants of a published release: its tag exists, and the release is counted. */
async function publish(tx: Tx, actor: UserActor, repository: RepositorySubject, { release, prepared, present }: Publication): Promise<void> {
  await ensureReleaseTag(tx, actor, repository, { tagName: release.tagName, prepared });
  if (present?.isDraft !== false) await addToReleasesCount(tx, repository.id, 1);
}

/** Also deletes the attachments; a later sweep removes them from the disk. */
async function drop(tx: Tx, actor: UserActor, release: KnownRelease): Promise<void> {
  await deleteRelease(tx, release.id);
  if (!release.isDraft) await addToReleasesCount(tx, release.repoId, -1);
  await recordEvent(tx, "release.deleted", eventOf(release), contextOf(actor, release));
}

async function recordEdit(tx: Tx, actor: UserActor, present: KnownRelease, changed: KnownRelease): Promise<void> {
  const context = contextOf(actor, changed);
  if (present.isDraft && !changed.isDraft) await recordEvent(tx, "release.published", eventOf(changed), context);
  else if (!present.isDraft && changed.isDraft) await recordEvent(tx, "release.drafted", eventOf(changed), context);
  else await recordEvent(tx, "release.updated", { ...eventOf(changed), formerTagName: present.tagName }, context);
}

function edited(present: KnownRelease, edit: ReleaseEdit, nowMs: number): KnownRelease {
  const isDraft = edit.isDraft ?? present.isDraft;
  return {
    ...present,
    tagName: edit.tagName ?? present.tagName,
    target: edit.target ?? present.target,
    title: edit.title ?? present.title,
    note: edit.note ?? present.note,
    isDraft,
    isPrerelease: edit.isPrerelease ?? present.isPrerelease,
    publishedMs: wholeSecond(isDraft ? present.createdMs : present.isDraft ? nowMs : present.publishedMs),
  };
}

/** Responses have whole seconds. Among releases of the same second, the last one created is the latest. */
const wholeSecond = (ms: number): number => ms - (ms % 1000);

export const eventOf = ({ id, ...rest }: KnownRelease): ReleaseEvent => ({ ...rest, releaseId: id });
const contextOf = (actor: UserActor, { repoId }: KnownRelease) => ({ repoId, actorId: actor.id });

async function whereTagIsFree<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isUniqueViolation(error, "releases.repo_id,tag_name") ? tagInUse() : error;
  }
}

function checkTexts({ tagName, title, note }: Pick<KnownRelease, "tagName" | "title" | "note">): void {
  if (!isValidTagName(tagName)) throw invalid("[TagName]: GitRefName", { reason: "invalid_ref_name" });
  checkLength("Title", title, lengths.line);
  checkLength("Note", note, lengths.releaseNote);
}
