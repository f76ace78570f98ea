import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Config } from "../../../../config/config.ts";
import { malformed } from "../../../../core/errors.ts";
import { readBlob, readObject } from "../../../../git/objects/objects.ts";
import { isOid } from "../../../../git/run/commands.ts";
import type { GitStores } from "../../../../git/stores.ts";
import { codeStore } from "../../branches/service/deps.ts";
import type { BlobView } from "../model.ts";

export interface BlobDeps {
  readonly git: GitStores;
  readonly config: Pick<Config, "repositories">;
}

/** A blob, or the bytes of another object, by its complete id. @throws ForgeError `malformed` for ids that the repository does not have */
export async function getBlob(deps: BlobDeps, repository: RepositorySubject, sha: string): Promise<BlobView> {
  const oid = sha.toLowerCase();
  if (!isOid(oid)) throw malformed(`length ${sha.length} has no matched object format: ${sha}`);
  const store = codeStore(deps, repository);
  const blob = await readBlob(store, oid, deps.config.repositories.max_blob_bytes);
  if (blob !== undefined) return { oid, ...blob };
  // @compat the content of other objects too (commits/objects.test.ts)
  const other = await readObject(store, oid);
  if (other === undefined) throw malformed(`object does not exist [id: ${sha}, rel_path: ]`);
  return { oid, sizeBytes: other.data.length, data: other.data };
}
