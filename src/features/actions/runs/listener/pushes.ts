import type { RecordedEvent, RefUpdateEvent } from "../../../../events/events.ts";
import type { PullDeps } from "../../../collaboration/pulls/service/deps.ts";
import type { RunsDeps } from "../service/deps.ts";
import { followPush, type Pushed } from "../service/push.ts";
import { pushPayload } from "./payloads.ts";

export interface ListenerDeps extends RunsDeps, PullDeps {}

/** Starts the workflows of pushed commits. */
export const startForPush = (deps: ListenerDeps, { id, payload, actorId }: RecordedEvent<"refs.changed">): Promise<void> =>
  followPush(deps, {
    eventId: id,
    actorId,
    change: payload,
    payloadOf: (move: Pushed) => pushPayload(deps, payload.repoId, actorId, move as RefUpdateEvent & { readonly newOid: string }),
  });
