import type { JobRow } from "../model.ts";
import { descendantsOf, siblingsOf } from "./calls.ts";

export type Which = "all" | "failed" | { readonly jobId: number };

/** The rows of a run that runs again, by id. */
export interface Again {
  /** They run again as they are. */
  readonly reset: readonly number[];
  /** They are planned again after their needs. */
  readonly unexpanded: readonly number[];
  /** Calls of workflows, some of whose jobs run again. */
  readonly reopened: readonly number[];
  /** Others of a matrix, and jobs of calls that are planned again. */
  readonly deleted: readonly number[];
  /** They keep their result, although others of their matrix run again. */
  readonly passedOver: readonly number[];
}

function chosenOf(jobs: readonly JobRow[], which: Which): readonly JobRow[] {
  if (which === "all") return jobs.filter(({ parentId }) => parentId === null);
  if (which !== "failed") return jobs.filter(({ id }) => id === which.jobId);
  const failed = jobs.filter(({ result }) => result === "failure" || result === "cancelled");
  // A call runs again by its failed jobs, if it has any.
  return failed.filter(({ id, call }) => call === null || !failed.some(({ parentId }) => parentId === id));
}

/** The keys of jobs, and of those that need them, directly or not. */
function withDependents(siblings: readonly JobRow[], keys: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set(keys);
  for (let size = -1; size !== all.size; ) {
    size = all.size;
    for (const { key, needs } of siblings) if (needs.some((need) => all.has(need))) all.add(key);
  }
  return all;
}

/**
 * Jobs whose needs run again are planned again, because their conditions, matrices and inputs depend on the results. Jobs of a called
 * workflow take its call along, and the jobs that need the call.
 * @returns undefined if no job runs again
 */
export function againOf(jobs: readonly JobRow[], which: Which): Again | undefined {
  const chosen = chosenOf(jobs, which);
  if (chosen.length === 0) return undefined;
  const reset = new Set<number>();
  const planned = new Set<number>();
  const reopened = new Set<number>();

  function take(parentId: number | null, own: readonly JobRow[], isOfCalls: boolean): void {
    const siblings = siblingsOf(jobs, { parentId });
    const keys = withDependents(siblings, new Set(own.map(({ key }) => key)));
    for (const job of siblings.filter(({ key }) => keys.has(key))) {
      if (job.needs.some((need) => keys.has(need)) || (job.call !== null && !isOfCalls)) planned.add(job.id);
      else if (own.includes(job) && !isOfCalls) reset.add(job.id);
    }
    const parent = parentId === null ? undefined : jobs.find(({ id }) => id === parentId);
    if (parent === undefined) return;
    reopened.add(parent.id);
    take(parent.parentId, [parent], true);
  }
  for (const [parentId, own] of Map.groupBy(chosen, (job) => job.parentId)) take(parentId, own, false);

  const below = new Set(descendantsOf(jobs, planned).map(({ id }) => id));
  const placeOf = ({ parentId, key }: JobRow): string => `${parentId ?? ""}/${key}`;
  const kept = new Set(
    [
      ...Map.groupBy(
        jobs.filter(({ id }) => planned.has(id) && !below.has(id)),
        placeOf,
      ).values(),
    ].map(([first]) => first?.id ?? 0),
  );
  const isLeft = (id: number): boolean => !below.has(id) && !planned.has(id);
  const again = new Set([...reset].filter(isLeft));
  const places = new Set(jobs.filter(({ id }) => again.has(id)).map(placeOf));
  return {
    reset: [...again],
    unexpanded: [...kept],
    reopened: [...reopened].filter(isLeft),
    deleted: [...below, ...[...planned].filter((id) => !kept.has(id) && !below.has(id))],
    passedOver: jobs.filter((job) => places.has(placeOf(job)) && !again.has(job.id)).map(({ id }) => id),
  };
}
