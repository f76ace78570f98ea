import { join } from "node:path";
import { operator, type UserActor } from "../../../access/actor.ts";
import type { Config } from "../../../config/config.ts";
import { conflict, invalid, notFound } from "../../../core/errors.ts";
import { parseGlob } from "../../../core/glob.ts";
import type { Page, Paged } from "../../../core/paging.ts";
import type { Db, Tx } from "../../../db/db.ts";
import type { WriteReceipt } from "../../../git/objects/write.ts";
import {
  type ForeignRefs,
  type ForeignRepository,
  findForeign,
  importForeign,
  listForeign,
  readForeignRefs,
  removeForeign,
} from "../../../git/send/foreign-repository.ts";
import type { GitStores } from "../../../git/stores.ts";
import { findAccountView } from "../../accounts/users/service/accounts.ts";
import { branchPrefix, shortName } from "../refs/model.ts";
import type { RefUpdate } from "../refs/moves.ts";
import { createStore } from "../refs/service/stores.ts";
import { describeTips } from "../refs/service/tips.ts";
import type { NewOwner } from "../repos/new-repository.ts";
import { checkPlace, checkRepositoryName, insertNewRepository, isNameTaken } from "../repos/service/insert.ts";
import { moveRepositoryRefs } from "../repos/service/move-refs.ts";
import { requireRoom } from "../repos/service/sizes.ts";
import { newSettings } from "../repos/settings.ts";

export interface AdoptionDeps {
  readonly db: Db;
  readonly git: GitStores;
  readonly config: Pick<Config, "actions" | "dataDirectory" | "repositories" | "limits">;
}

/** The folder in which operators place bare repositories for adoption, as `{owner}/{name}.git`. */
const folderOf = ({ config }: Pick<AdoptionDeps, "config">): string => join(config.dataDirectory, "adopt");

/**
 * Returns the full names of the repositories that can be adopted. Operation `adminUnadoptedList`.
 * @param pattern a glob for the owner's name, optionally followed by a slash and a glob for the repository's; empty matches all
 * @throws ForgeError `invalid` for a malformed pattern
 */
export async function listUnadopted(deps: Pick<AdoptionDeps, "config">, pattern: string, page: Page): Promise<Paged<string>> {
  const slash = pattern.indexOf("/");
  const [owner, name] = slash < 0 ? [pattern, ""] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  const [owners, names] = [owner, name].map((glob) => parseGlob(glob === "" ? "*" : glob, { separators: "/", ignoresCase: true }));
  if (owners === undefined || names === undefined) throw invalid(`[Pattern]: ${pattern} is not a valid pattern`, { reason: "invalid_pattern" });
  const found = (await listForeign(folderOf(deps))).filter((one) => owners.matches(one.owner) && names.matches(one.name));
  return { items: found.slice(page.offset, page.offset + page.limit).map((one) => `${one.owner}/${one.name}`), total: found.length };
}

async function requireUnadopted(deps: Pick<AdoptionDeps, "config">, owner: string, name: string): Promise<ForeignRepository> {
  const found = await findForeign(folderOf(deps), owner, name);
  if (found === undefined) throw notFound();
  return found;
}

/** Deletes an unadopted repository from the disk. Operation `adminDeleteUnadoptedRepository`. @throws ForgeError `not_found` */
export async function deleteUnadopted(deps: Pick<AdoptionDeps, "config">, owner: string, name: string): Promise<void> {
  await removeForeign(await requireUnadopted(deps, owner, name));
}

/**
 * Adopts a repository from the disk as a private one: imports its objects (each is checked), branches, tags and notes. The import is
 * all or nothing, and the folder is deleted afterwards. Operation `adminAdoptRepository`.
 * @throws ForgeError `not_found` if the folder or the owner does not exist; `conflict` for a name in use; `invalid` for contents that
 *   cannot be imported
 */
export async function adoptRepository(deps: AdoptionDeps, actor: UserActor, ownerName: string, name: string): Promise<void> {
  const foreign = await requireUnadopted(deps, ownerName, name);
  checkRepositoryName(name);
  const account = await findAccountView(deps, ownerName);
  if (account === undefined) throw notFound(`the owner ${ownerName} does not exist`, { reason: { code: "owner_of_folder_missing", name: ownerName } });
  const owner: NewOwner = { id: account.id, name: account.name, kind: account.kind };
  const taken = () => conflict(`repository already exists [uname: ${owner.name}, name: ${name}]`, { reason: "repository_exists" });
  await checkPlace(deps, actor, owner, name, taken);
  const refs = await readForeignRefs(foreign);
  const defaultBranch = defaultBranchOf(refs) ?? deps.config.repositories.default_branch;
  const storeId = await deps.db.tx((tx) => createStore(tx, { format: refs.format, defaultBranch }));
  const store = deps.git.store(storeId, refs.format, 0);
  const receipt = await importForeign(foreign, store, [...refs.refs.values()]);
  const wishes = [...refs.refs].map(([refName, newOid]) => ({ name: refName, oldOid: null, newOid }));
  const updates = await describeTips(store, wishes);
  try {
    await deps.db.tx((tx) => insertAdopted(tx, deps, { actor, owner, name, defaultBranch, storeId, updates, receipt }));
  } catch (error) {
    throw isNameTaken(error) ? taken() : error;
  }
  await removeForeign(foreign);
}

/** The branch that HEAD names if it exists; otherwise a customary name, otherwise the first branch. */
function defaultBranchOf({ headRef, refs }: ForeignRefs): string | undefined {
  const branches = [...refs.keys()].filter((ref) => ref.startsWith(branchPrefix)).sort();
  const chosen = [headRef, `${branchPrefix}main`, `${branchPrefix}master`].find((ref) => ref !== undefined && refs.has(ref)) ?? branches[0];
  return chosen && shortName(chosen);
}

interface Adopted {
  readonly actor: UserActor;
  readonly owner: NewOwner;
  readonly name: string;
  readonly defaultBranch: string;
  readonly storeId: number;
  readonly updates: readonly RefUpdate[];
  readonly receipt: WriteReceipt;
}

async function insertAdopted(tx: Tx, deps: AdoptionDeps, { actor, owner, name, defaultBranch, storeId, updates, receipt }: Adopted): Promise<void> {
  const repository = {
    name,
    description: "",
    isPrivate: true,
    isTemplate: false,
    codeStoreId: storeId,
    defaultBranch,
    trustModel: "default",
    settings: newSettings(deps.config),
    licenses: [],
  } as const;
  const isGivenUser = actor.id !== operator.id;
  const repoId = await insertNewRepository(tx, deps, { actor, owner, repository, isWatched: owner.kind === "user" || isGivenUser });
  if (updates.length === 0) return;
  await moveRepositoryRefs(tx, {
    repoId,
    mover: { kind: "server" },
    ...(isGivenUser && { onBehalfOf: actor.id }),
    via: "server",
    mode: "all",
    receipt,
    updates,
  });
  await requireRoom({ db: tx, config: deps.config }, owner.id, 0);
}
