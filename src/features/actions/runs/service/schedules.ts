import { isTrial } from "../../../../db/trial.ts";
import { findPlaceById } from "../../../repositories/repos/service/find.ts";
import { listDue, type ScheduledWorkflow, takeTime } from "../store/workflows.ts";
import { cronAt, nextTime } from "./cron.ts";
import { sourceAt, tipOfDefault } from "./default-branch.ts";
import type { RunsDeps } from "./deps.ts";
import { listWorkflowFiles } from "./files.ts";
import { canRun, startRun } from "./start.ts";

export interface ScheduleDeps extends RunsDeps {
  /** @param cron the expression that determined the time */
  readonly payloadOf: (repoId: number, actorId: number | null, cron: string) => Promise<object>;
}

const atOnce = 100;

/**
 * Starts the workflows whose time has come, on the default branch. A time is taken in the transaction that creates its run, so no process
 * starts it twice. Of several times that were missed, the last one starts a run. During a trial of an imported server, none is started.
 */
export async function startScheduled(deps: ScheduleDeps): Promise<void> {
  if (await isTrial(deps.db)) return;
  for (let started = atOnce; started > 0; ) {
    const due = await listDue(deps.db, deps.clock.now(), atOnce);
    started = 0;
    for (const workflow of due) {
      try {
        await startOne(deps, workflow);
        started += 1;
      } catch (error) {
        // One workflow must not stop the others.
        deps.log.error({ err: error, meta: { workflowId: workflow.id } }, "a scheduled workflow could not be started");
      }
    }
  }
}

async function startOne(deps: ScheduleDeps, workflow: ScheduledWorkflow): Promise<void> {
  const nextMs = nextTime(workflow.crons, deps.clock.now()) ?? null;
  const repository = await findPlaceById(deps, workflow.repoId);
  const tip = repository !== undefined && canRun(repository) && !workflow.isDisabled ? await tipOfDefault(deps, repository) : undefined;
  const file = tip && (await listWorkflowFiles(tip.store, tip.commit.oid)).find((one) => one.file === workflow.file);
  const read = tip && file && (await deps.workflowReader.read(tip.store, file));
  // Time 0: the schedule was recorded by a version that did not start it.
  if (repository === undefined || tip === undefined || read === undefined || !("workflow" in read) || workflow.nextMs === 0) {
    await deps.db.tx((tx) => takeTime(tx, workflow, nextMs));
    return;
  }
  const actorId = workflow.schedulerId;
  const crons = read.workflow.triggers.schedule?.crons ?? [];
  await startRun(
    deps,
    {
      ...sourceAt(tip),
      repository,
      eventId: null,
      cause: `schedule ${workflow.nextMs}`,
      actorId,
      trigger: "schedule",
      accepts: () => true,
      payload: () => deps.payloadOf(repository.id, actorId, cronAt(crons, workflow.nextMs)),
      claim: (tx) => takeTime(tx, workflow, nextMs),
    },
    read,
  );
}
