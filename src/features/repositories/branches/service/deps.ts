import type { RepositorySubject } from "../../../../access/subjects.ts";
import { forbidden, notFound } from "../../../../core/errors.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import type { GitStore, GitStores } from "../../../../git/stores.ts";
import type { SignatureVerifier } from "../../../accounts/keys/service/signatures.ts";
import { findUnverified } from "../../../accounts/keys/service/unverified.ts";
import type { MoveInputs } from "../../protections/check-move.ts";
import { collectProtectionInputs } from "../../protections/service/guard.ts";
import type { RefUpdate } from "../../refs/moves.ts";

export interface BranchDeps {
  readonly db: Db;
  readonly git: GitStores;
  readonly signatures: SignatureVerifier;
  /** The host determines the addresses of users who hide their email. */
  readonly urls: Pick<Urls, "host">;
}

/** The git store of a repository's code. */
/** A repository that a row was read for. Without the version, the first read may take a statement. */
type Coded = Pick<RepositorySubject, "codeStoreId" | "objectFormat"> & Partial<Pick<RepositorySubject, "packsVersion">>;

export const codeStore = (deps: { readonly git: GitStores }, repository: Coded): GitStore =>
  deps.git.store(repository.codeStoreId, repository.objectFormat, repository.packsVersion);

/** @throws ForgeError for repositories whose branches cannot be changed: empty repositories and mirrors */
export function requireBranches({ isEmpty, isMirror }: Pick<RepositorySubject, "isEmpty" | "isMirror">): void {
  if (isEmpty) throw notFound("Git Repository is empty.", { reason: "repository_empty" });
  if (isMirror) throw forbidden("Git Repository is a mirror.", { reason: "repository_mirror" });
}

/** Inputs for the rule checks of ref updates to commits that the repository already has. */
export const loadMoveInputs = (
  deps: BranchDeps,
  repository: Pick<RepositorySubject, "id" | "codeStoreId" | "objectFormat">,
  moves: readonly RefUpdate[],
): Promise<ReadonlyMap<string, MoveInputs>> =>
  collectProtectionInputs(deps, codeStore(deps, repository), {
    repoId: repository.id,
    moves,
    knownOids: async () => moves.flatMap(({ newOid }) => newOid ?? []),
    findUnverified: (store, oids) => findUnverified(deps, store, oids),
  });
