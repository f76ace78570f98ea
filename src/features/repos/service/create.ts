import { isSiteAdmin, limitOf, seesPrivate, type UserActor } from "../../../access/actor.ts";
import type { Config } from "../../../config/config.ts";
import type { Clock } from "../../../core/clock.ts";
import { conflict, forbidden, invalid, notFound } from "../../../core/errors.ts";
import { reservedRepositoryName } from "../../../core/names.ts";
import type { Urls } from "../../../core/urls.ts";
import type { Db, Tx } from "../../../db/db.ts";
import { isUniqueViolation } from "../../../db/errors.ts";
import type { RepoEvent } from "../../../events/access-events.ts";
import { recordEvent } from "../../../events/events.ts";
import type { SignObject } from "../../../git/format.ts";
import { isValidBranchName } from "../../../git/ref-names.ts";
import type { GitStores } from "../../../git/stores.ts";
import type { ObjectFormat } from "../../../git/types.ts";
import { writeObjects } from "../../../git/write.ts";
import { addInitialLabels } from "../../labels/service/labels.ts";
import { createStore } from "../../refs/service/stores.ts";
import { chooseLabels } from "../../templates/service.ts";
import type { NewOwner, NewRepository } from "../new-repository.ts";
import { defaultSettings } from "../settings.ts";
import { administersAll, upsertCollaborator } from "../store/collaborators.ts";
import { countOneMore, deleteRedirect, findOwnerState, insertRepository, insertWatch } from "../store/rows.ts";
import type { RepositoryView, TrustModel } from "../view.ts";
import { makeFirstCommit } from "./first-commit.ts";
import { moveRepositoryRefs } from "./move-refs.ts";
import { getRepository } from "./views.ts";

export interface CreateDeps {
  readonly db: Db;
  readonly git: GitStores;
  readonly clock: Clock;
  readonly urls: Urls;
  readonly commitSigner: { readonly sign: SignObject } | undefined;
  readonly config: Pick<Config, "repositories">;
}

/**
 * Makes a repository, whole or not at all. Nothing of an empty one is on disk before its first object.
 * @throws ForgeError `invalid`, `conflict` for a name in use, `forbidden` at the owner's limit
 */
export async function createRepository(deps: CreateDeps, actor: UserActor, owner: NewOwner, input: NewRepository): Promise<RepositoryView> {
  const checked = checkNewRepository(deps, actor, input);
  try {
    const id = await (input.hasFirstCommit ? createWithCommit(deps, actor, owner, checked) : createEmpty(deps, actor, owner, checked));
    return await getRepository(deps, actor, id);
  } catch (error) {
    if (isUniqueViolation(error, "repositories.owner_id,name_folded")) throw nameTaken();
    throw error;
  }
}

const nameTaken = () => conflict("The repository with the same name already exists.");

const createEmpty = (deps: CreateDeps, actor: UserActor, owner: NewOwner, input: CheckedRepository): Promise<number> =>
  deps.db.tx(async (tx) => insertNewRepository(tx, deps, { actor, owner, input, codeStoreId: await createStore(tx, input), licenses: [] }));

/**
 * The store comes first, in a transaction of its own: objects need it, and everything that can be seen is written in the last step.
 * A store that gets no repository is taken away by the sweep.
 */
async function createWithCommit(deps: CreateDeps, actor: UserActor, owner: NewOwner, input: CheckedRepository): Promise<number> {
  const present = await findOwnerState(deps.db, owner.id, input.name);
  if (present?.hasName) throw nameTaken();
  if (present !== undefined) checkLimit(deps, actor, owner, { ...present, owned: present.owned + 1 });
  const first = await makeFirstCommit(deps, actor, owner, input);
  const codeStoreId = await deps.db.tx((tx) => createStore(tx, input));
  const receipt = await writeObjects(deps.git.store(codeStoreId, input.format), first.objects);
  return deps.db.tx(async (tx) => {
    const repoId = await insertNewRepository(tx, deps, { actor, owner, input, codeStoreId, licenses: first.licenses });
    // The templates hold no programming language, and the license is written with the row.
    await moveRepositoryRefs(tx, {
      repoId,
      mover: { kind: "server" },
      onBehalfOf: actor.id,
      via: "server",
      mode: "all",
      receipt,
      updates: [first.update],
      isContentKnown: true,
    });
    return repoId;
  });
}

interface CheckedRepository extends NewRepository {
  readonly format: ObjectFormat;
}

/** What is known without looking at the database. */
function checkNewRepository(deps: CreateDeps, actor: UserActor, input: NewRepository): CheckedRepository {
  checkRepositoryName(input.name);
  if (input.isPrivate && !seesPrivate(actor)) throw forbidden("token scope is limited to public repos");
  if (limitOf(actor) !== undefined) throw forbidden("a token that is limited to repositories makes no others");
  if (input.labels !== "") chooseLabels(input.labels);
  const defaultBranch = input.defaultBranch === "" ? deps.config.repositories.default_branch : input.defaultBranch;
  if (!isValidBranchName(defaultBranch)) throw invalid("[DefaultBranch]: GitRefName");
  return { ...input, defaultBranch, format: readFormat(input.objectFormat) };
}

/** @throws ForgeError `invalid` in the words of the wire */
export function checkRepositoryName(name: string): void {
  const reserved = reservedRepositoryName(name);
  if (reserved !== undefined) throw invalid(reserved);
}

function readFormat(name: string): ObjectFormat {
  if (name === "" || name === "sha1") return "sha1";
  if (name === "sha256") return "sha256";
  throw invalid(`unsupported object format: ${name}; choose sha1 or sha256`);
}

const trustModels: readonly TrustModel[] = ["default", "collaborator", "committer", "collaboratorcommitter"];

interface Insertion {
  readonly actor: UserActor;
  readonly owner: NewOwner;
  readonly input: CheckedRepository;
  readonly codeStoreId: number;
  readonly licenses: readonly string[];
}

/** The rows of a new repository. @returns its id */
async function insertNewRepository(tx: Tx, deps: CreateDeps, { actor, owner, input, codeStoreId, licenses }: Insertion): Promise<number> {
  const state = await countOneMore(tx, owner.id);
  if (state === undefined) throw notFound();
  checkLimit(deps, actor, owner, state);
  const id = await insertRepository(tx, {
    ownerId: owner.id,
    name: input.name,
    description: input.description,
    isPrivate: input.isPrivate,
    isTemplate: input.isTemplate,
    codeStoreId,
    defaultBranch: input.defaultBranch,
    trustModel: trustModels.find((model) => model === input.trustModel) ?? "default",
    settings: defaultSettings,
    licenses,
  });
  await deleteRedirect(tx, owner.id, input.name);
  await insertWatch(tx, id, owner.kind === "user" ? owner.id : actor.id);
  if (input.labels !== "") await addInitialLabels(tx, id, chooseLabels(input.labels));
  const event = { repoId: id, name: input.name, ownerId: owner.id, ownerName: owner.name, isPrivate: input.isPrivate };
  await recordEvent(tx, "repo.created", event, { repoId: id, by: actor });
  if (owner.kind === "organization") await letAdminister(tx, actor, event);
  return id;
}

/** Who makes a repository in an organization administers it, also when no team lets him. */
async function letAdminister(tx: Tx, actor: UserActor, { repoId, name, ownerId, ownerName }: RepoEvent): Promise<void> {
  if (isSiteAdmin(actor) || (await administersAll(tx, ownerId, actor.id))) return;
  await upsertCollaborator(tx, repoId, actor.id, "admin");
  const event = { repoId, name, ownerId, ownerName, memberId: actor.id, memberName: actor.name, mode: "admin" } as const;
  await recordEvent(tx, "collaborator.added", event, { repoId, by: actor });
}

/** @throws ForgeError `forbidden` when the owner has more than he may; administrators make repositories for anybody */
function checkLimit(deps: CreateDeps, actor: UserActor, owner: NewOwner, state: { readonly owned: number; readonly limit: number }): void {
  const limit = state.limit >= 0 || owner.kind === "organization" ? state.limit : deps.config.repositories.max_per_user;
  if (limit >= 0 && state.owned > limit && !isSiteAdmin(actor)) throw forbidden(`user has reached maximum limit of repositories [limit: ${limit}]`);
}
