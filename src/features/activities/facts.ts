import type { EventInTransaction, EventType } from "../../events/events.ts";
import type { NewActivity } from "./view.ts";

/** What a feed tells of an event: nothing, or what its row says besides who did it and where. */
type Fact = Omit<NewActivity, "actorId" | "repoId">;
type Facts = { readonly [Type in EventType]?: (event: EventInTransaction<Type>) => readonly Fact[] };

/** Of one push a feed tells so many refs, the first ones. */
const maxRefs = 20;

/** Which events feeds tell of, and how: a new kind is a line here, and one in `activityUnits`. */
const facts = {
  "repo.created": () => [{ kind: "create_repo" }],
  "repo.renamed": ({ payload }) => [{ kind: "rename_repo", subject: payload.formerName }],
  "repo.transferred": ({ payload }) => [{ kind: "transfer_repo", subject: `${payload.formerOwnerName}/${payload.name}` }],
  "refs.changed": ({ payload }) => payload.updates.slice(0, maxRefs).flatMap(refFact),
} as const satisfies Facts;

export type ActivityEvent = keyof typeof facts;
export const activityEvents = Object.keys(facts) as readonly ActivityEvent[];

function refFact({ name, oldOid, newOid }: { readonly name: string; readonly oldOid: string | null; readonly newOid: string | null }): readonly Fact[] {
  const move = { refName: name, oldOid, newOid };
  if (name.startsWith("refs/heads/")) return [{ ...move, kind: newOid === null ? "delete_branch" : "commit_repo" }];
  if (name.startsWith("refs/tags/")) return [{ ...move, kind: newOid === null ? "delete_tag" : "push_tag" }];
  return [];
}

/**
 * What feeds tell of the events of one transaction. What nobody's account did is not told, and of a new repository not what it began with.
 */
export function activitiesOf(events: readonly EventInTransaction<ActivityEvent>[]): NewActivity[] {
  const made = new Set(events.filter(({ type }) => type === "repo.created").map(({ repoId }) => repoId));
  return events.flatMap((event) => {
    const { actorId, repoId } = event;
    if (actorId === null || repoId === null || (event.type === "refs.changed" && made.has(repoId))) return [];
    const tell = facts[event.type] as (event: EventInTransaction) => readonly Fact[];
    return tell(event).map((fact) => ({ ...fact, actorId, repoId }));
  });
}
