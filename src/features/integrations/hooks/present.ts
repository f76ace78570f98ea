import { formatTime } from "../../../core/time.ts";
import type { Hook, HookDelivery, HookEvent } from "../../../wire/hook.ts";
import { type DeliveryView, type EventView, type HookView, settingNames } from "./model.ts";

/** @compat Slack's optional settings are empty strings if unset; those of other types are omitted (hooks/api.test.ts) */
const slackDefaults = ({ type }: HookView): Readonly<Record<string, string>> =>
  type === "slack" ? Object.fromEntries(settingNames.slack.optional.map((name) => [name, ""])) : {};

/** @param authorizationHeader from the current request; it is not shown again */
export const presentHook = (hook: HookView, authorizationHeader = ""): Hook => ({
  id: hook.id,
  name: hook.name,
  type: hook.type,
  branch_filter: hook.branchFilter,
  config: { content_type: hook.contentType, ...(hook.url === "" ? { delivery: "pull" } : { url: hook.url }), ...slackDefaults(hook), ...hook.settings },
  events: hook.events,
  authorization_header: authorizationHeader,
  active: hook.isActive,
  updated_at: formatTime(hook.updatedMs),
  created_at: formatTime(hook.createdMs),
});

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : formatTime(ms));

export const presentDelivery = (delivery: DeliveryView): HookDelivery => ({
  id: delivery.id,
  uuid: delivery.uuid,
  sequence: delivery.sequence,
  event: delivery.event,
  event_type: delivery.eventType,
  status: delivery.state,
  attempts: delivery.attempts,
  next_attempt_at: (delivery.state === "waiting" || delivery.state === "refused") && delivery.nextAttemptMs > 0 ? formatTime(delivery.nextAttemptMs) : null,
  attempted_at: timeOrNull(delivery.attemptedMs),
  response_status: delivery.responseStatus,
  response_body: delivery.responseBody,
  error: delivery.error,
  duration_ms: delivery.durationMs,
  created_at: formatTime(delivery.createdMs),
  payload: delivery.payload,
});

export const presentEvent = (event: EventView): HookEvent => ({
  sequence: event.sequence,
  uuid: event.uuid,
  event: event.event,
  event_type: event.eventType,
  created_at: formatTime(event.createdMs),
  payload: JSON.parse(event.payload),
});
