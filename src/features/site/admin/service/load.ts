import { callerClasses, type Lane } from "../../../../core/lanes.ts";
import type { LoadView } from "../model.ts";

/** Expensive requests of all lanes since the server started. */
export function countLanes(lanes: readonly Lane[]): LoadView {
  const load = { working: 0, waiting: 0, refusedUsers: 0, refusedAnonymous: 0 };
  for (const lane of lanes) {
    for (const kind of callerClasses) {
      const { working, waiting, refused } = lane.counts(kind);
      load.working += working;
      load.waiting += waiting;
      load[kind === "anonymous" ? "refusedAnonymous" : "refusedUsers"] += refused;
    }
  }
  return load;
}
