import type { Tx } from "../../../db/db.ts";
import { keepFile } from "../../files/service/keep.ts";
import { countFile } from "../../repos/service/sizes.ts";
import { insertObject } from "../store/objects.ts";
import type { LfsObject } from "../view.ts";

/** Large files that a new repository brings from elsewhere: their contents are kept already. */
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
