import type { Sealer } from "../../../../core/sealer.ts";
import type { Reader } from "../../../../db/db.ts";
import { openSecrets } from "../../secrets/service/secrets.ts";
import { findSealedSecrets } from "../store/tasks.ts";

interface Deps {
  readonly db: Reader;
  readonly sealer: Sealer;
}

const purposeOf = (runId: number): string => `secrets of a task of run ${runId}`;

/** The secrets that cover a repository at this moment, sealed for a task of a run. A task keeps them: they may be replaced or deleted while it runs. */
export async function sealSecrets(deps: Deps, runId: number, place: { readonly id: number; readonly ownerId: number }): Promise<string | undefined> {
  const secrets = await openSecrets(deps, place.id, place.ownerId);
  return secrets.size === 0 ? undefined : deps.sealer.seal(purposeOf(runId), JSON.stringify([...secrets]));
}

/** The secrets that a task was given, by name. One statement. */
export async function secretsOfTask({ db, sealer }: Deps, task: { readonly id: number; readonly runId: number }): Promise<ReadonlyMap<string, string>> {
  const sealed = await findSealedSecrets(db, task.id);
  const opened = sealed === undefined ? undefined : sealer.open(purposeOf(task.runId), sealed);
  return new Map(opened === undefined ? [] : (JSON.parse(opened) as readonly (readonly [string, string])[]));
}
