import { isSiteAdmin, seesPrivate, type UserActor } from "../../../access/actor.ts";
import type { Config } from "../../../config/config.ts";
import { conflict, forbidden, invalid, notFound } from "../../../core/errors.ts";
import { reservedRepositoryName } from "../../../core/names.ts";
import type { Db, Tx } from "../../../db/db.ts";
import { isUniqueViolation } from "../../../db/errors.ts";
import { recordEvent } from "../../../events/events.ts";
import { isValidBranchName } from "../../../git/ref-names.ts";
import type { ObjectFormat } from "../../../git/types.ts";
import { createStore } from "../../refs/service/stores.ts";
import { chooseLabels } from "../../templates/service.ts";
import { defaultSettings } from "../settings.ts";
import { countOwned, deleteRedirect, insertRepository, insertWatch } from "../store/rows.ts";
import type { RepositoryView, TrustModel } from "../view.ts";
import { getRepository } from "./views.ts";

export interface CreateDeps {
  readonly db: Db;
  readonly config: Pick<Config, "repositories">;
}

/** Who a new repository will belong to. */
export interface NewOwner {
  readonly id: number;
  readonly name: string;
  readonly kind: "user" | "organization";
}

export interface NewRepository {
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly isTemplate: boolean;
  /** Whether it starts with a commit; the templates matter only then. */
  readonly hasFirstCommit: boolean;
  readonly readme: string;
  readonly gitignores: string;
  readonly license: string;
  /** Name of a label set; empty for none. */
  readonly labels: string;
  /** Empty: the server's default. */
  readonly defaultBranch: string;
  /** Unknown ones mean the default. */
  readonly trustModel: string;
  /** Empty: sha1. */
  readonly objectFormat: string;
}

/**
 * Makes a repository. Nothing is on disk before its first object.
 * @throws ForgeError `invalid`, `conflict` for a name in use, `forbidden` at the owner's limit
 */
export async function createRepository(deps: CreateDeps, actor: UserActor, owner: NewOwner, input: NewRepository): Promise<RepositoryView> {
  const { format, defaultBranch } = checkNewRepository(deps, actor, input);
  try {
    const id = await deps.db.tx(async (tx) => {
      const codeStoreId = await createStore(tx, { format, defaultBranch });
      return insertNewRepository(tx, deps, actor, owner, { ...input, defaultBranch, codeStoreId, licenses: [] });
    });
    return await getRepository(deps, actor, id);
  } catch (error) {
    if (isUniqueViolation(error, "repositories.owner_id,name_folded")) throw conflict("The repository with the same name already exists.");
    throw error;
  }
}

/** What is known without looking at the database. */
function checkNewRepository(deps: CreateDeps, actor: UserActor, input: NewRepository): { readonly format: ObjectFormat; readonly defaultBranch: string } {
  checkRepositoryName(input.name);
  if (input.isPrivate && !seesPrivate(actor)) throw forbidden("token scope is limited to public repos");
  if (input.labels !== "") chooseLabels(input.labels);
  const defaultBranch = input.defaultBranch === "" ? deps.config.repositories.default_branch : input.defaultBranch;
  if (!isValidBranchName(defaultBranch)) throw invalid("[DefaultBranch]: GitRefName");
  return { format: readFormat(input.objectFormat), defaultBranch };
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

interface InsertedRepository extends NewRepository {
  readonly codeStoreId: number;
  readonly licenses: readonly string[];
}

/** The rows of a new repository. @returns its id */
async function insertNewRepository(tx: Tx, deps: CreateDeps, actor: UserActor, owner: NewOwner, input: InsertedRepository): Promise<number> {
  const count = await countOwned(tx, owner.id, 1);
  if (count === undefined) throw notFound();
  const limit = count.limit >= 0 || owner.kind === "organization" ? count.limit : deps.config.repositories.max_per_user;
  if (limit >= 0 && count.owned > limit && !isSiteAdmin(actor)) throw forbidden(`user has reached maximum limit of repositories [limit: ${limit}]`);
  const id = await insertRepository(tx, {
    ownerId: owner.id,
    name: input.name,
    description: input.description,
    isPrivate: input.isPrivate,
    isTemplate: input.isTemplate,
    codeStoreId: input.codeStoreId,
    defaultBranch: input.defaultBranch,
    trustModel: trustModels.find((model) => model === input.trustModel) ?? "default",
    settings: defaultSettings,
    licenses: input.licenses,
  });
  await deleteRedirect(tx, owner.id, input.name);
  await insertWatch(tx, id, owner.kind === "user" ? owner.id : actor.id);
  await recordEvent(tx, "repo.created", { repoId: id, name: input.name, ownerId: owner.id, ownerName: owner.name }, { repoId: id, actorId: actor.id });
  return id;
}
