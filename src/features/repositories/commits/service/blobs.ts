import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Config } from "../../../../config/config.ts";
import { malformed } from "../../../../core/errors.ts";
import { readBlob } from "../../../../git/objects/objects.ts";
import { isOid } from "../../../../git/run/commands.ts";
import type { GitStores } from "../../../../git/stores.ts";
import { codeStore } from "../../branches/service/deps.ts";
import type { BlobView } from "../model.ts";

export interface BlobDeps {
  readonly git: GitStores;
  readonly config: Pick<Config, "repositories">;
}

/** A blob by its complete id. @throws ForgeError `malformed` for anything else, including ids that the repository does not have */
export async function getBlob(deps: BlobDeps, repository: RepositorySubject, sha: string): Promise<BlobView> {
  const oid = sha.toLowerCase();
  if (!isOid(oid)) throw malformed(`length ${sha.length} has no matched object format: ${sha}`);
  const blob = await readBlob(codeStore(deps, repository), oid, deps.config.repositories.max_blob_bytes);
  if (blob === undefined) throw malformed(`object does not exist [id: ${sha}, rel_path: ]`);
  return { oid, ...blob };
}
