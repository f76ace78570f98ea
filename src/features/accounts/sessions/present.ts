import type { UserActor } from "../../../access/actor.ts";
import { formatTime } from "../../../core/time.ts";
import type { Session } from "../../../wire/session.ts";
import type { SessionView } from "./model.ts";

export const presentSession = (session: SessionView, viewer: UserActor): Session => ({
  id: session.id,
  address: session.address,
  user_agent: session.userAgent,
  created_at: formatTime(session.createdMs),
  last_seen_at: formatTime(session.seenMs),
  expires_at: formatTime(session.expiresMs),
  current: viewer.credential.session?.id === session.id,
});
