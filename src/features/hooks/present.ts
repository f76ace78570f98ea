import { formatTime } from "../../core/time.ts";
import type { Hook } from "../../wire/hook.ts";
import type { HookView } from "./view.ts";

/** @param authorizationHeader what the very request has set, and nobody is shown again */
export const presentHook = (hook: HookView, authorizationHeader = ""): Hook => ({
  id: hook.id,
  name: hook.name,
  type: hook.type,
  branch_filter: hook.branchFilter,
  config: { content_type: hook.contentType, ...(hook.url === "" ? { delivery: "pull" } : { url: hook.url }), ...hook.settings },
  events: hook.events,
  authorization_header: authorizationHeader,
  active: hook.isActive,
  updated_at: formatTime(hook.updatedMs),
  created_at: formatTime(hook.createdMs),
});
