import type { RefsChanged, RefUpdateEvent } from "../../../events/events.ts";
import { branchPrefix, shortName } from "./model.ts";

/** New name of a branch deleted by a rename; pushes have no renames. */
export function renamedTo({ updates, via }: RefsChanged, { oldOid, newOid }: RefUpdateEvent): string | undefined {
  if (via === "push" || newOid !== null || oldOid === null || updates.length !== 2) return undefined;
  const made = updates.find((other) => other.oldOid === null && other.newOid === oldOid && other.name.startsWith(branchPrefix));
  return made && shortName(made.name);
}
