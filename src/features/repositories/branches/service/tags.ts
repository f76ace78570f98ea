import type { Actor, UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import { conflict, invalid, locked, malformed, notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader } from "../../../../db/db.ts";
import { newTag, type SignObject } from "../../../../git/objects/format.ts";
import { peelToCommit, readTag } from "../../../../git/objects/objects.ts";
import { isValidTagName } from "../../../../git/objects/ref-names.ts";
import { type WriteReceipt, writeObjects } from "../../../../git/objects/write.ts";
import { isOid } from "../../../../git/run/commands.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { gitIdentity } from "../../../accounts/users/git-identity.ts";
import { findPeople } from "../../../accounts/users/service/people.ts";
import { moverOf } from "../../protections/service/guard.ts";
import { type RefView, shortName, tagPrefix } from "../../refs/model.ts";
import { deletionOf, type RefUpdate, refusalError, tooManyRefs } from "../../refs/moves.ts";
import { findRef, pageTags } from "../../refs/service/read.ts";
import { resolveRev } from "../../refs/service/resolve.ts";
import { describeTips } from "../../refs/service/tips.ts";
import { moveRepositoryRefs } from "../../repos/service/move-refs.ts";
import type { AnnotatedTagView, TagView } from "../model.ts";
import { type BranchDeps, codeStore } from "./deps.ts";

/** A page of the tags, newest first. Two statements, no process while a worker is warm. */
export async function listTags(deps: BranchDeps, repository: RepositorySubject, page: Page): Promise<Paged<TagView>> {
  const { items, total } = await pageTags(deps.db, repository.codeStoreId, page);
  const store = codeStore(deps, repository);
  return { items: await Promise.all(items.map((ref) => toView(store, ref))), total };
}

/** @throws ForgeError `not_found` */
export async function getTag(deps: BranchDeps, repository: RepositorySubject, name: string): Promise<TagView> {
  const ref = isValidTagName(name) ? await findRef(deps.db, repository.codeStoreId, tagPrefix + name) : undefined;
  if (ref === undefined) throw notFound(`tag doesn't exist: ${name}`);
  return toView(codeStore(deps, repository), ref);
}

async function toView(store: GitStore, ref: RefView): Promise<TagView> {
  const name = shortName(ref.name);
  if (ref.type === "tag") {
    const tag = await readTag(store, ref.oid);
    return { name, oid: ref.oid, targetOid: ref.peeledOid, message: tag?.message ?? "", tagger: tag?.tagger };
  }
  const commit = ref.type === "commit" ? await peelToCommit(store, ref.oid) : undefined;
  return { name, oid: ref.oid, targetOid: ref.oid, message: commit?.message ?? "", tagger: commit?.committer };
}

/**
 * A tag object by its complete id. Operation `GetAnnotatedTag`.
 * @throws ForgeError `malformed` for anything else, including names and commits
 */
export async function getAnnotatedTag(deps: BranchDeps, actor: Actor, repository: RepositorySubject, oid: string): Promise<AnnotatedTagView> {
  const tag = isOid(oid) ? await readTag(codeStore(deps, repository), oid) : undefined;
  // @compat Gitea sends 400, not 404, for a name or a commit (branches/branches.test.ts)
  if (oid.length !== 40 && oid.length !== 64) throw malformed(`length ${oid.length} has no matched object format: ${oid}`, { reason: "target_not_found" });
  if (tag === undefined) throw malformed(`object does not exist [id: ${oid}, rel_path: ]`, { reason: "target_not_found" });
  const email = tag.tagger?.email ?? "";
  const people = await findPeople(deps, tag.signature === "" ? [] : [email]);
  const verdicts = await deps.signatures.verify(actor, [{ object: tag, email }], people);
  return { ...tag, verdict: verdicts.get(tag.oid) };
}

export interface NewTag {
  readonly name: string;
  /** A branch, tag or commit; if empty, the default branch. */
  readonly target: string;
  /** Creates a lightweight tag if empty. */
  readonly message: string;
}

export interface TaggingDeps {
  readonly clock: Clock;
  /** Signs annotated tags; undefined if the server does not sign. */
  readonly commitSigner: { readonly sign: SignObject } | undefined;
}

/**
 * Creates a tag. Operation `repoCreateTag`.
 * @throws ForgeError `not_found` for an unknown target, `conflict` for a name in use, `invalid` for an invalid or protected name
 */
export async function createTag(deps: BranchDeps & TaggingDeps, actor: UserActor, repository: RepositorySubject, input: NewTag): Promise<TagView> {
  requireTags(repository);
  const { name, message } = input;
  if (!isValidTagName(name)) throw invalid("[TagName]: GitRefName", { reason: "invalid_ref_name" });
  const store = codeStore(deps, repository);
  const target = await resolveRev(deps, store, input.target === "" ? repository.defaultBranch : input.target);
  if (target === undefined)
    throw notFound(`target not found: object does not exist [id: ${input.target === "" ? "HEAD" : input.target}, rel_path: ]`, { reason: "target_not_found" });
  const inUse = conflict(`tag already exists [name: ${name}]`, { reason: "tag_exists" });
  if ((await findRef(deps.db, repository.codeStoreId, tagPrefix + name)) !== undefined) throw inUse;

  const prepared = await prepareTag(deps, actor, repository, { name, commitOid: target.commitOid, message });
  await deps.db.tx(async (tx) => {
    const mover = moverOf(actor, repository);
    const { refused } = await moveRepositoryRefs(tx, { repoId: repository.id, mover, via: "api", mode: "each", ...prepared });
    for (const { reason, other } of refused) {
      if (reason === "protected") throw invalid("user not allowed to create protected tag", { reason: "tag_protected" });
      if (reason === "too_many") throw invalid(tooManyRefs, { reason: "too_many_refs" });
      throw reason === "taken" ? conflict(`the tag ${name} conflicts with the existing ${shortName(other ?? "")}`, { reason: "ref_conflict" }) : inUse;
    }
  });
  return getTag(deps, repository, name);
}

/** The ref update that creates a tag, with its object already written. */
export interface PreparedTag {
  readonly updates: readonly RefUpdate[];
  readonly receipt: WriteReceipt;
}

/** Writes the tag object if the tag has a message. */
export async function prepareTag(
  deps: BranchDeps & TaggingDeps,
  actor: UserActor,
  repository: RepositorySubject,
  { name, commitOid, message }: { readonly name: string; readonly commitOid: Oid; readonly message: string },
): Promise<PreparedTag> {
  const store = codeStore(deps, repository);
  const tagger = { ...gitIdentity(actor, deps.urls), seconds: Math.floor(deps.clock.now() / 1000), offsetMinutes: 0 };
  const tag = message === "" ? undefined : newTag(store.format, { targetOid: commitOid, targetType: "commit", name, tagger, message }, deps.commitSigner?.sign);
  const receipt = await writeObjects(store, tag === undefined ? [] : [tag]);
  return { receipt, updates: await describeTips(store, [{ name: tagPrefix + name, oldOid: null, newOid: tag?.oid ?? commitOid }]) };
}

/** Finds tags that are in use, for example by a release. They cannot be deleted on their own. */
export interface TagUses {
  hasRelease(db: Reader, repoId: number, tagName: string): Promise<boolean>;
}

/** Deletes a tag. Operation `repoDeleteTag`. @throws ForgeError `not_found`, `invalid` for a protected tag, `conflict` for the tag of a release */
export async function deleteTag(
  deps: BranchDeps & { readonly tagUses: TagUses },
  actor: UserActor,
  repository: RepositorySubject,
  name: string,
): Promise<void> {
  requireTags(repository);
  await deps.db.tx(async (tx) => {
    const ref = isValidTagName(name) ? await findRef(tx, repository.codeStoreId, tagPrefix + name) : undefined;
    if (ref === undefined) throw notFound();
    if (await deps.tagUses.hasRelease(tx, repository.id, name))
      throw conflict("a tag attached to a release cannot be deleted directly", { reason: "tag_has_release" });
    const move = { repoId: repository.id, mover: moverOf(actor, repository), via: "api", mode: "each", updates: [deletionOf(ref)] } as const;
    const { refused } = await moveRepositoryRefs(tx, move);
    for (const refusal of refused)
      throw refusal.reason === "protected" ? invalid("user not allowed to delete protected tag", { reason: "tag_protected" }) : refusalError(refusal);
  });
}

function requireTags({ isMirror, fullName }: RepositorySubject): void {
  if (isMirror) throw locked(`${fullName} is a mirror`, { reason: "repository_mirror" });
}
