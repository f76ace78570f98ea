import type { UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { OrganizationSubject, RepositorySubject } from "../../../../access/subjects.ts";
import type { Config } from "../../../../config/config.ts";
import { conflict, type ForgeError, forbidden, isForgeError, notFound } from "../../../../core/errors.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { recordEvent } from "../../../../events/events.ts";
import { linkObjects } from "../../../../git/receive/link-objects.ts";
import type { GitStores } from "../../../../git/stores.ts";
import { requireUnblocked } from "../../../accounts/users/service/blocks.ts";
import { findOrganization } from "../../../organizations/orgs/service/find.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { shortName } from "../../refs/model.ts";
import { type CopiedRefs, copyStore, showCopy } from "../../refs/service/copy.ts";
import { allRefs } from "../../refs/service/read.ts";
import type { RepositoryView } from "../../repos/model.ts";
import type { NewOwner } from "../../repos/new-repository.ts";
import { addToForksCount } from "../../repos/service/counters.ts";
import { findRepositoryById } from "../../repos/service/find.ts";
import { checkPlace, checkRepositoryInput, type InsertDeps, insertNewRepository, isNameTaken, mayMakeIn } from "../../repos/service/insert.ts";
import { copyLanguages } from "../../repos/service/languages.ts";
import { getRepository } from "../../repos/service/loaders.ts";
import { requireRoom } from "../../repos/service/sizes.ts";
import { defaultSettings } from "../../repos/settings.ts";
import { findForkName, findOrigin } from "../store.ts";

export interface ForkDeps extends InsertDeps {
  readonly config: Pick<Config, "repositories" | "limits">;
  readonly db: Db;
  readonly git: GitStores;
}

export interface ForkInput {
  /** Empty for the name of the parent. */
  readonly name: string;
  /** The organization to own the fork; empty for the caller. */
  readonly organization: string;
  /** Undefined for the description of the parent. */
  readonly description?: string;
  /** Copies the default branch only, without other branches and tags. */
  readonly hasDefaultBranchOnly?: boolean;
}

/** @compat Gitea creates forks with only code and pull requests enabled (forks/api.test.ts) */
const forkSettings = { ...defaultSettings, hasIssues: false, hasWiki: false, hasProjects: false, hasReleases: false, hasPackages: false };

/**
 * Forks a repository: links its objects, copies its branches and tags by one statement. The fork is not visible before the last transaction.
 * Operation `createFork`.
 * @throws ForgeError `conflict` for a second fork of the same owner and for a name in use; `forbidden` for users blocked by the owner, and for
 *   users who cannot create repositories there; `not_found` for an unknown organization; `too_large` if the owner's quota is exceeded
 */
export async function forkRepository(deps: ForkDeps, actor: UserActor, parent: RepositorySubject, input: ForkInput): Promise<RepositoryView> {
  // @compat the message of Gitea's permission check (forks/api.test.ts)
  if (!atLeast(parent.right.unit("repo.code"), "read")) throw forbidden("user should have specific read permission or be a repo admin or a site admin");
  const owner = await findOwner(deps, actor, input.organization);
  const name = input.name === "" ? parent.name : input.name;
  checkRepositoryInput(actor, { name, isPrivate: parent.isPrivate });
  await requireUnblocked(deps, actor, parent.ownerId);
  const taken = () => conflict(`repository already exists [uname: ${owner.name}, name: ${name}]`, { reason: "repository_exists" });
  await requireUnforked(deps, parent, owner);
  await checkPlace(deps, actor, owner, name, taken);
  const copied = await deps.db.tx((tx) => copyStore(tx, parent.codeStoreId, input.hasDefaultBranchOnly ? "default-branch" : "all"));
  const readTips = async () => (await allRefs(deps.db, copied.id)).map(({ oid }) => oid);
  const withRefs = copied.shownVersion !== undefined;
  const hasRefs = await linkObjects(codeStore(deps, parent), deps.git.store(copied.id, copied.format, 0), { readTips, withRefs });
  try {
    const id = await deps.db.tx((tx) =>
      insertFork(tx, deps, { actor, owner, parent, name, description: input.description, copied, shownVersion: hasRefs ? copied.shownVersion : undefined }),
    );
    return await getRepository(deps, actor, id);
  } catch (error) {
    // A concurrent request created the fork. If both unique constraints are violated, the databases report either one.
    if (isUniqueViolation(error)) await requireUnforked(deps, parent, owner);
    throw isNameTaken(error) ? taken() : error;
  }
}

async function findOwner(deps: { readonly db: Reader }, actor: UserActor, organization: string): Promise<NewOwner> {
  if (organization === "") return { id: actor.id, name: actor.name, kind: "user" };
  const { id, name, isOwner } = await findPresent(deps, organization, actor);
  if (!(await mayMakeIn(deps.db, actor, { id, isOwner })))
    throw forbidden("User is not allowed to create repositories in this organization.", { reason: "cannot_create_in_organization" });
  return { id, name, kind: "organization" };
}

/** Finds by present or former name. @compat the error for an unknown organization is a plain message (forks/api.test.ts) */
async function findPresent(deps: { readonly db: Reader }, name: string, actor: UserActor): Promise<OrganizationSubject> {
  const found = await findOrganization(deps, name, actor).catch((error: unknown) => {
    throw isForgeError(error, "not_found") ? notFound() : error;
  });
  return "subject" in found ? found.subject : findPresent(deps, found.movedTo, actor);
}

/** @compat a second fork is rejected under any name (forks/api.test.ts) */
async function requireUnforked(deps: { readonly db: Reader }, parent: RepositorySubject, owner: NewOwner): Promise<void> {
  const name = await findForkName(deps.db, parent.id, owner.id);
  if (name !== undefined) throw alreadyForked(parent, owner, name);
}

const alreadyForked = (parent: RepositorySubject, owner: NewOwner, name: string): ForgeError =>
  conflict(`repository is already forked by user [uname: ${owner.name}, repo path: ${parent.fullName}, fork path: ${owner.name}/${name}]`, {
    reason: "fork_exists",
  });

interface NewFork {
  readonly actor: UserActor;
  readonly owner: NewOwner;
  readonly parent: RepositorySubject;
  readonly name: string;
  readonly description: string | undefined;
  readonly copied: CopiedRefs;
  /** The version of the copied refs, if the store on disk has them. */
  readonly shownVersion: number | undefined;
}

async function insertFork(tx: Tx, deps: ForkDeps, { actor, owner, parent, name, description, copied, shownVersion }: NewFork): Promise<number> {
  // The parent can have been hidden or deleted while its objects were linked.
  await findRepositoryById({ db: tx }, parent.id, actor);
  const origin = await findOrigin(tx, parent.id);
  if (origin === undefined) throw notFound();
  const isPrivate = origin.isPrivate;
  checkRepositoryInput(actor, { name, isPrivate });
  const id = await insertNewRepository(tx, deps, {
    actor,
    owner,
    repository: {
      name,
      description: description ?? origin.description,
      isPrivate,
      isTemplate: false,
      codeStoreId: copied.id,
      defaultBranch: shortName(copied.headRef),
      trustModel: "default",
      settings: forkSettings,
      licenses: origin.licenses,
      fork: { parentId: parent.id, networkId: parent.networkId, branchesCount: copied.branchesCount, language: origin.language },
    },
    isWatched: true,
  });
  // The owner of a private fork can show it to others, so it must not contain objects that its parent deleted.
  await showCopy(tx, { id: copied.id, fromId: parent.codeStoreId, keepsGarbage: !isPrivate, shownVersion });
  await copyLanguages(tx, id, parent.id);
  await addToForksCount(tx, parent.id);
  await requireRoom({ db: tx, config: deps.config }, owner.id, 0);
  const event = { repoId: id, name, ownerId: owner.id, ownerName: owner.name, parentId: parent.id };
  await recordEvent(tx, "repo.forked", event, { repoId: id, actorId: actor.id });
  return id;
}
