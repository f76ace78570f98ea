import type { Tx } from "../../../../db/db.ts";
import { countFile } from "../../../repositories/repos/service/sizes.ts";
import { keepFile } from "../../../site/blobs/service/keep.ts";
import type { LfsObject } from "../model.ts";
import { insertObject } from "../store/objects.ts";

/** Adds imported LFS objects to a new repository. Their contents are already stored. */
export async function importObjects(tx: Tx, repoId: number, objects: readonly LfsObject[]): Promise<void> {
  for (const object of objects) {
    await keepFile(tx, { ...object, digest: object.oid });
    await insertObject(tx, repoId, object);
  }
  await countFile(
    tx,
    repoId,
    objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  );
}
