import type { UserActor } from "../../../../access/actor.ts";
import type { Config } from "../../../../config/config.ts";
import type { Clock } from "../../../../core/clock.ts";
import { invalid } from "../../../../core/errors.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import type { SignObject } from "../../../../git/objects/format.ts";
import { isValidBranchName } from "../../../../git/objects/ref-names.ts";
import { writeFirstObjects } from "../../../../git/objects/write.ts";
import { sliceRefs } from "../../../../git/send/ref-slices.ts";
import type { GitStores } from "../../../../git/stores.ts";
import type { ObjectFormat } from "../../../../git/types.ts";
import { addInitialLabels } from "../../../collaboration/labels/service/labels.ts";
import { chooseLabels } from "../../../site/license-templates/service.ts";
import { createStore } from "../../refs/service/stores.ts";
import type { RepositoryView, TrustModel } from "../model.ts";
import type { NewOwner, NewRepository } from "../new-repository.ts";
import { newSettings } from "../settings.ts";
import { makeFirstCommit } from "./first-commit.ts";
import { checkPlace, checkRepositoryInput, insertNewRepository, isNameTaken, nameTaken } from "./insert.ts";
import { getRepository } from "./loaders.ts";
import { moveRepositoryRefs } from "./move-refs.ts";

export interface CreateDeps {
  readonly db: Db;
  readonly git: GitStores;
  readonly clock: Clock;
  readonly urls: Urls;
  readonly commitSigner: { readonly sign: SignObject } | undefined;
  readonly config: Pick<Config, "actions" | "repositories">;
}

/**
 * Creates a repository, completely or not at all. An empty repository has nothing on disk before its first object.
 * @throws ForgeError `invalid`, `conflict` for a name in use, `forbidden` if the owner's limit is reached
 */
export async function createRepository(deps: CreateDeps, actor: UserActor, owner: NewOwner, input: NewRepository): Promise<RepositoryView> {
  const checked = checkNewRepository(deps, actor, input);
  try {
    const id = await (input.hasFirstCommit ? createWithCommit(deps, actor, owner, checked) : createEmpty(deps, actor, owner, checked));
    return await getRepository(deps, actor, id);
  } catch (error) {
    if (isNameTaken(error)) throw nameTaken();
    throw error;
  }
}

const createEmpty = (deps: CreateDeps, actor: UserActor, owner: NewOwner, input: CheckedRepository): Promise<number> =>
  deps.db.tx(async (tx) => insertRows(tx, deps, { actor, owner, input, codeStoreId: await createStore(tx, input), licenses: [] }));

/**
 * The store is created first, in a separate transaction, because objects need it; everything visible is written in the last step.
 * A sweep removes stores without a repository.
 */
async function createWithCommit(deps: CreateDeps, actor: UserActor, owner: NewOwner, input: CheckedRepository): Promise<number> {
  await checkPlace(deps, actor, owner, input.name);
  const first = await makeFirstCommit(deps, actor, owner, input);
  const codeStoreId = await deps.db.tx((tx) => createStore(tx, input));
  const slices = sliceRefs([{ name: first.update.name, oid: first.oid, peeledOid: "" }]);
  const receipt = await writeFirstObjects(deps.git.store(codeStoreId, input.format, 0), first.objects, { headRef: first.update.name, slices });
  return deps.db.tx(async (tx) => {
    const repoId = await insertRows(tx, deps, { actor, owner, input, codeStoreId, licenses: first.licenses });
    // The content is known: the templates contain no programming language, and the license is written with the row.
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

/** Validation without the database. */
function checkNewRepository(deps: CreateDeps, actor: UserActor, input: NewRepository): CheckedRepository {
  checkRepositoryInput(actor, input);
  if (input.labels !== "") chooseLabels(input.labels);
  const defaultBranch = input.defaultBranch === "" ? deps.config.repositories.default_branch : input.defaultBranch;
  if (!isValidBranchName(defaultBranch)) throw invalid("[DefaultBranch]: GitRefName", { reason: "invalid_ref_name" });
  return { ...input, defaultBranch, format: readFormat(input.objectFormat) };
}

function readFormat(name: string): ObjectFormat {
  if (name === "" || name === "sha1") return "sha1";
  if (name === "sha256") return "sha256";
  throw invalid(`unsupported object format: ${name}; choose sha1 or sha256`);
}

const trustModels: readonly TrustModel[] = ["default", "collaborator", "committer", "collaboratorcommitter"];

interface Rows {
  readonly actor: UserActor;
  readonly owner: NewOwner;
  readonly input: CheckedRepository;
  readonly codeStoreId: number;
  readonly licenses: readonly string[];
}

async function insertRows(tx: Tx, deps: CreateDeps, { actor, owner, input, codeStoreId, licenses }: Rows): Promise<number> {
  const { name, description, isPrivate, isTemplate, defaultBranch } = input;
  const trustModel = trustModels.find((model) => model === input.trustModel) ?? "default";
  const repository = { name, description, isPrivate, isTemplate, defaultBranch, codeStoreId, trustModel, settings: newSettings(deps.config), licenses };
  const id = await insertNewRepository(tx, deps, { actor, owner, repository, isWatched: true });
  if (input.labels !== "") await addInitialLabels(tx, id, chooseLabels(input.labels));
  return id;
}
