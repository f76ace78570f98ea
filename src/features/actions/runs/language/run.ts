import type { LanguageJob, LanguageResult } from "./jobs.ts";
import { explain } from "./messages.ts";
import { evaluateEach, planJob, planOutputs, planRun, stepIndexes } from "./plan.ts";
import { WorkflowError } from "./problem.ts";
import { type ReadWorkflow, readWorkflow } from "./read.ts";

/** Runs in the worker: reads or plans a workflow, or evaluates expressions. */
export async function runLanguageJob(job: LanguageJob): Promise<LanguageResult<LanguageJob>> {
  try {
    if (job.kind === "values") return { value: evaluateEach(job.values, job.contexts) };
    if (job.kind === "steps") return { value: stepIndexes(job.text) };
    const whole = await readWorkflow(job.path, job.text);
    if (job.kind === "outputs") return { value: planOutputs(whole, job.context, job.jobs) };
    if (job.kind === "plan") {
      const run = atPlace(whole, undefined, () => planRun(whole, job.context));
      return { value: { run, jobs: job.jobs.map(({ key, needed }) => atPlace(whole, key, () => planJob(whole, key, job.context, needed))) } };
    }
    const { fields: _fields, jobFields: _jobFields, placeOf: _placeOf, ...workflow } = whole;
    return { value: workflow };
  } catch (error) {
    if (error instanceof WorkflowError) return { problems: error.problems };
    // Errors of the libraries for content that they cannot handle.
    return { problems: [explain(error instanceof Error ? error.message : String(error))] };
  }
}

/** Adds their places in the file to mistakes that are found while a job, or the run, is planned. */
function atPlace<T>(workflow: ReadWorkflow, key: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    const placed = error.problems.map((problem) => ({ ...workflow.placeOf(key, problem.message), ...problem }));
    throw new WorkflowError(placed, { cause: error });
  }
}
