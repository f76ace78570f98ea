import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid, notFound } from "../../../../core/errors.ts";
import { checkLength, lengths } from "../../../../core/lengths.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { DeployKeyView } from "../model.ts";
import { type DeployKeyFilter, deleteDeployKey, findDeployKey, insertDeployKey, pageDeployKeys } from "../store/deploy-keys.ts";
import { deleteUnusedKey, findByFingerprint, insertPublicKey } from "../store/public-keys.ts";
import { readKey } from "./read-key.ts";

export interface NewDeployKeyInput {
  readonly title: string;
  readonly key: string;
  readonly isReadOnly: boolean;
}

export const listDeployKeys = (
  deps: { readonly db: Reader },
  repository: RepositorySubject,
  filter: DeployKeyFilter,
  page: Page,
): Promise<Paged<DeployKeyView>> => pageDeployKeys(deps.db, repository.id, filter, page);

/** @throws ForgeError `not_found`, also for a key of another repository */
export async function getDeployKey(deps: { readonly db: Reader }, repository: RepositorySubject, id: number): Promise<DeployKeyView> {
  const key = await findDeployKey(deps.db, repository.id, id);
  if (key === undefined) throw notFound();
  return key;
}

/**
 * Adds a deploy key to a repository. Several repositories may share a key, each with its own title, but a user's key cannot be a
 * deploy key.
 * @throws ForgeError `invalid` for an invalid key, and for a key or title in use
 */
export async function addDeployKey(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: RepositorySubject,
  input: NewDeployKeyInput,
): Promise<DeployKeyView> {
  const { content, fingerprint } = readKey(input.key);
  const { title, isReadOnly } = input;
  checkLength("Title", title, lengths.line);
  const repoId = repository.id;
  try {
    return await deps.db.tx(async (tx) => {
      const known = await findByFingerprint(tx, fingerprint);
      if (known !== undefined && known.accountId !== null) throw invalid("Key content has been used as non-deploy key", { reason: "key_in_use" });
      const keyId = known?.id ?? (await insertPublicKey(tx, { accountId: null, title: "", content, fingerprint }));
      const id = await insertDeployKey(tx, { repoId, keyId, title, isReadOnly });
      await recordEvent(tx, "deploy_key.created", { repoId, repoName: repository.fullName, deployKeyId: id, fingerprint, isReadOnly }, { repoId, by: actor });
      return { id, keyId, repoId, title, content: known?.content ?? content, fingerprint, isReadOnly, createdMs: tx.nowMs };
    });
  } catch (error) {
    if (isUniqueViolation(error, "deploy_keys.repo_id,key_id")) throw invalid("This key has already been added to this repository", { reason: "key_in_use" });
    if (isUniqueViolation(error, "deploy_keys.repo_id,title"))
      throw invalid("A key with the same name already exists", { reason: "title_taken", field: "title" });
    throw error;
  }
}

/** Removes a deploy key from a repository. Succeeds if the repository does not have it. */
export async function removeDeployKey(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, id: number): Promise<void> {
  await deps.db.tx(async (tx) => {
    const key = await findDeployKey(tx, repository.id, id);
    if (key === undefined) return;
    await deleteDeployKey(tx, repository.id, id);
    await deleteUnusedKey(tx, key.keyId);
    const { fingerprint, isReadOnly } = key;
    const event = { repoId: repository.id, repoName: repository.fullName, deployKeyId: id, fingerprint, isReadOnly };
    await recordEvent(tx, "deploy_key.deleted", event, { repoId: repository.id, by: actor });
  });
}
