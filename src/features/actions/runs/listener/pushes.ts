import type { RecordedEvent } from "../../../../events/events.ts";
import type { PullDeps } from "../../../collaboration/pulls/service/deps.ts";
import type { RunsDeps } from "../service/deps.ts";
import { followPush } from "../service/push.ts";
import { refPayload } from "./payloads.ts";

export interface ListenerDeps extends RunsDeps, PullDeps {}

/** Starts the workflows of pushed commits, and of created and deleted branches and tags. */
export const startForPush = (deps: ListenerDeps, { id, payload, actorId, createdMs }: RecordedEvent<"refs.changed">): Promise<void> =>
  followPush(deps, {
    eventId: id,
    actorId,
    change: payload,
    payloadOf: (trigger, ref) => refPayload(deps, { eventId: id, repoId: payload.repoId, actorId, createdMs }, payload, trigger, ref),
  });
