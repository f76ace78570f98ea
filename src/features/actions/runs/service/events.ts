import type { ReleaseEvent } from "../../../../events/release-events.ts";
import { findPlaceById } from "../../../repositories/repos/service/find.ts";
import { passes } from "../language/patterns.ts";
import type { RunRow } from "../model.ts";
import { findRun } from "../store/runs.ts";
import { activityOf } from "./activities.ts";
import { sourceAt, tipOf, tipOfDefault } from "./default-branch.ts";
import type { RunsDeps } from "./deps.ts";
import { shortRef } from "./github-context.ts";
import { canRun, startRuns } from "./start.ts";
import type { EventTrigger, RunTrigger } from "./triggers.ts";

export interface EventDeps extends RunsDeps {
  /** @returns undefined if the subject of the event is gone */
  readonly payloadOf: (activity: string | undefined) => Promise<object | undefined>;
}

/** Starts the workflows of the default branch that an event triggers; for a release, those of its tag. */
export async function startForEvent(deps: EventDeps, { eventId, repoId, actorId, trigger, activities, event }: EventTrigger): Promise<void> {
  const repository = await findPlaceById(deps, repoId);
  if (repository === undefined || !canRun(repository)) return;
  const tagName = trigger === "release" ? (event as ReleaseEvent).tagName : undefined;
  // The tag of a deleted release may be gone.
  const tip = (tagName === undefined ? undefined : await tipOf(deps, repository, `refs/tags/${tagName}`)) ?? (await tipOfDefault(deps, repository));
  if (tip === undefined) return;
  const source = sourceAt(tip);
  const { title } = event as { readonly title?: string };
  await startRuns(deps, {
    ...source,
    title: title || tagName || source.title,
    repository,
    eventId,
    actorId,
    trigger,
    accepts: (given) => activities.length === 0 || activityOf(given, activities, activities) !== undefined,
    payload: async (given) => (await deps.payloadOf(activityOf(given, activities, activities))) ?? {},
  });
}

export interface RunTriggerDeps extends RunsDeps {
  readonly payloadOf: (run: RunRow, activity: string) => Promise<object>;
}

/** Starts the workflows of the default branch that wait for a run of another workflow. */
export async function startForRun(deps: RunTriggerDeps, { runId, repoId, attempt, activity }: RunTrigger): Promise<void> {
  const repository = await findPlaceById(deps, repoId);
  const run = await findRun(deps.db, repoId, runId);
  if (repository === undefined || run === undefined || !canRun(repository)) return;
  const tip = await tipOfDefault(deps, repository);
  if (tip === undefined) return;
  const branch = run.headRef || shortRef(run.ref);
  await startRuns(deps, {
    ...sourceAt(tip),
    title: run.title,
    repository,
    eventId: null,
    cause: `run ${runId} ${attempt} ${activity}`,
    depth: run.depth + 1,
    actorId: run.actorId,
    trigger: "workflow_run",
    accepts: ({ workflows = [], types = [activity], branches, branchesIgnore }) =>
      workflows.includes(run.workflowName) && types.includes(activity) && passes(branches, branchesIgnore, branch),
    payload: () => deps.payloadOf(run, activity),
  });
}
