import type { Tx } from "../../../../db/db.ts";
import { type EventInTransaction, recordEvent } from "../../../../events/events.ts";
import { shortName, tagPrefix } from "../../refs/model.ts";
import { addToReleasesCount } from "../../repos/service/counters.ts";
import { draftWithoutTag } from "../store/releases.ts";
import { eventOf } from "./change.ts";

/** Turns a release into a draft when its tag is deleted by any means, so that every published release has its tag. */
export async function followTags(tx: Tx, events: readonly EventInTransaction<"refs.changed">[]): Promise<void> {
  for (const { payload, actorId } of events) {
    const { repoId, storeId, updates, total } = payload;
    const gone = updates.filter(({ name, newOid }) => newOid === null && name.startsWith(tagPrefix));
    // An event of many refs only lists the first ones.
    const isWhole = updates.length === total;
    if (isWhole && gone.length === 0) continue;
    const drafted = await draftWithoutTag(tx, repoId, isWhole ? { names: gone.map(({ name }) => shortName(name)) } : { missingIn: storeId });
    if (drafted.length === 0) continue;
    await addToReleasesCount(tx, repoId, -drafted.length);
    for (const release of drafted) await recordEvent(tx, "release.drafted", eventOf(release), { repoId, actorId });
  }
}
